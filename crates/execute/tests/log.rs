//! What an execution leaves in the shared memory.

mod image;

use execute::Way;
use image::{input, session, slot};
use wire::{Op, RecordKind};

#[test]
fn inputs_are_logged_with_their_nodes() {
    for way in [Way::Persistent, Way::Fork] {
        let mut session = session("sum_of_bytes", way);
        for _ in 0..3 {
            let execution = session.run(&input(&[("bytes", 0, &[1])])).unwrap();
            let [bytes, word] = execution.log() else { panic!("{:?}", execution.log()) };
            assert_eq!((bytes.kind, bytes.aux, bytes.site), (RecordKind::Input as u16, 8, 4));
            assert_eq!(execution.name(bytes.value), Some("bytes"));
            assert_eq!((word.kind, word.aux, word.site), (RecordKind::Input as u16, 16, 1));
            assert_eq!(word.value, slot("table[3].word", 0).hash);
            assert_eq!(execution.name(word.value), Some("table[3].word"));
            let nodes = execution.nodes();
            assert_eq!(nodes.len(), 6);
            for element in 0..4 {
                let node = nodes[(bytes.label + element) as usize];
                assert_eq!((node.op, node.bits, node.a, node.b), (Op::Input as u8, 8, 0, element));
                assert_eq!(node.x, bytes.value);
            }
        }
    }
}

#[test]
fn a_choice_out_of_range_is_the_first() {
    let mut session = session("bits_and_choice", Way::Persistent);
    let execution = session.run(&input(&[("which", 0, &[9])])).unwrap();
    assert!(execution.log().iter().all(|record| record.kind != RecordKind::Assume as u16));
    let choice = execution.nodes().iter().find(|node| node.op == Op::Ite as u8).unwrap();
    let condition = execution.nodes()[choice.a as usize];
    assert_eq!((condition.op, condition.bits, condition.c, condition.y), (Op::Ult as u8, 1, 8, 5));
    assert_eq!((choice.bits, choice.b, choice.c, choice.y), (8, condition.a, 0, 0));
}
