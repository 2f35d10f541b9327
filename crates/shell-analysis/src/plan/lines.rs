//! Errors that end the line they stand in: an expansion or assignment that fails lets the shell go on with the next
//! line (seen in bash 5.2: `: $((1/0)); x=a` leaves `x` as it was), out of functions and compound commands too.

use super::{Planner, State};
use crate::tree::List;

impl Planner<'_> {
    /// Control may come from here to the next line.
    pub(crate) fn line_may_end(&mut self, state: &State) {
        match &mut self.ended {
            Some(ended) => ended.join(state),
            none => *none = Some(state.clone()),
        }
    }

    /// One line of the text that is run.
    pub(crate) fn line(&mut self, state: &mut State, cx: &super::Context, line: &List) {
        self.list(state, cx, line);
        if let Some(ended) = self.ended.take() {
            state.join(&ended);
        }
    }

    /// Where a line ended inside, `name` is what it was before as well.
    pub(super) fn line_ended_with(&mut self, name: &str, before: &State) {
        if let Some(ended) = &mut self.ended {
            ended.join_variable(name, before);
        }
    }
}
