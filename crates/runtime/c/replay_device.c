/* The registers of devices in replay and coverage images: device.c as it is, compiled with their flags. */
#include "device.c"
