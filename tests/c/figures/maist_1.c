/* MAIST, figure 1: one decision of twenty-five conditions over thirteen inputs. Branch coverage needs each
 * condition true and false; MC/DC needs each to decide alone. */
/* EXPECT-FILE covered all */
enum gear { PARKED, REVERSING, DRIVING };
enum { LEFT, STRAIGHT, RIGHT };
#define LOW 150
#define HIGH 320

enum gear gear;
int direction, speed;
int angle_front_left, angle_front_right;
unsigned rpm_front_left, rpm_front_right, rpm_rear_left, rpm_rear_right;
unsigned pressure_front_left, pressure_front_right, pressure_rear_left, pressure_rear_right;

int is_steady(void)
{
    if (gear == DRIVING && speed > 0 &&
        ((direction == LEFT && angle_front_left < 0 && angle_front_right < 0 &&
          rpm_front_left <= rpm_front_right && rpm_rear_left <= rpm_rear_right) ||
         (direction == RIGHT && angle_front_left > 0 && angle_front_right > 0 &&
          rpm_front_left >= rpm_front_right && rpm_rear_left >= rpm_rear_right) ||
         (direction == STRAIGHT && angle_front_left == 0 && angle_front_right == 0 &&
          rpm_front_left == rpm_front_right && rpm_rear_left == rpm_rear_right)) &&
        (LOW < pressure_front_left && pressure_front_left < HIGH) &&
        (LOW < pressure_front_right && pressure_front_right < HIGH) &&
        (LOW < pressure_rear_left && pressure_rear_left < HIGH) &&
        (LOW < pressure_rear_right && pressure_rear_right < HIGH))
        return 1;
    return 0;
}
