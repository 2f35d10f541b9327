//! Names that an option takes: what a shell completes, and which one was meant by one that is not known.

use std::ffi::OsStr;

use clap::builder::{PossibleValue, StringValueParser, TypedValueParser};

/// Modes, as settings and `--mode` name them.
pub(crate) const MODES: &[&str] = &["strict", "standard", "acceptEdits", "unrestricted", "plan", "dontAsk"];

/// Host profiles.
pub(crate) const PROFILES: &[&str] = &["letta", "claude", "portcullis"];

/// Completes these names and takes any: what is none of them is refused where its meaning is looked for, in the
/// words that the environment and batch requests get too.
#[derive(Clone, Debug)]
pub(crate) struct Names(pub(crate) &'static [&'static str]);

impl TypedValueParser for Names {
    type Value = String;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<String, clap::Error> {
        StringValueParser::new().parse_ref(command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.0.iter().map(PossibleValue::new)))
    }
}

/// What to write instead of a name that is not known: the nearest one, if one is near, and all.
pub(crate) fn instead(given: &str, names: &[&str]) -> String {
    let (last, others) = names.split_last().unwrap_or((&"", &[]));
    let all = format!("use {} or {last}", others.join(", "));
    let given = given.to_ascii_lowercase();
    let distance = |name: &str| strsim::osa_distance(&name.to_ascii_lowercase(), &given);
    let near = names
        .iter()
        .map(|name| (distance(name), name))
        .min()
        .filter(|(distance, name)| *distance <= if name.len() > 6 { 3 } else { 2 });
    match near {
        Some((_, name)) => format!("did you mean `{name}`? {all}"),
        None => all,
    }
}

#[cfg(test)]
mod tests {
    use portcullis_matcher::Mode;

    use super::{MODES, PROFILES, instead};

    #[test]
    fn every_name_is_known_and_none_is_left_out() {
        let modes: Vec<_> = MODES.iter().map(|name| Mode::parse(name).map(Mode::as_str)).collect();
        assert_eq!(modes, MODES.iter().map(|name| Some(*name)).collect::<Vec<_>>());
        assert_eq!(MODES.len(), 6);
        assert!(PROFILES.iter().all(|name| crate::profile::Profile::named(name).is_ok()));
    }

    #[test]
    fn the_nearest_name_is_the_one_that_was_meant() {
        assert_eq!(instead("standrd", MODES).split('?').next(), Some("did you mean `standard`"));
        assert_eq!(instead("AcceptEdit", MODES).split('?').next(), Some("did you mean `acceptEdits`"));
        assert_eq!(instead("dont-ask", MODES).split('?').next(), Some("did you mean `dontAsk`"));
        assert_eq!(instead("Claude", PROFILES), "did you mean `claude`? use letta, claude or portcullis");
        assert_eq!(instead("nonsense", PROFILES), "use letta, claude or portcullis");
    }
}
