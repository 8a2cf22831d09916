//! Target-oriented depth-first search: two stacks. The sides of the function under test first; those of all
//! other code only when there are none.

use super::dfs::Stack;
use super::{Candidate, News, Strategy, View};
use crate::sites::Code;
use crate::tree::Tree;

#[derive(Default)]
pub struct TargetDfs {
    target: Stack,
    others: Stack,
}

impl Strategy for TargetDfs {
    fn name(&self) -> &'static str {
        "target-dfs"
    }

    fn select(&mut self, tree: &Tree, _view: &View<'_>) -> Option<Candidate> {
        self.target.top(tree).or_else(|| self.others.top(tree))
    }

    fn update(&mut self, tree: &Tree, view: &View<'_>, news: &News<'_>) {
        let is_target = |node| view.sites.code(tree.site(node)) == Code::Target;
        self.target.push(tree, news.opened().filter(|&node| is_target(node)));
        self.others.push(tree, news.opened().filter(|&node| !is_target(node)));
    }
}
