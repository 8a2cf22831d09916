//! What is known of a failure, in sentences: how often it was seen, what it depends on, which memory it missed. The
//! rest of an alarm's evidence serves the judgement and stands in the JSON report alone.

use serde_json::Value;

/// Inputs of the function alone that are shown.
const SLOTS: usize = 8;

/// One line for each thing that is known, without the rules, the calls and the contexts, which are told apart.
pub(crate) fn evidence(evidence: &Value) -> Vec<String> {
    let mut lines = Vec::new();
    let mut tell = |label: &str, what: Option<String>| {
        if let Some(what) = what {
            lines.push(format!("    {:<10}{what}", format!("{label}:")));
        }
    };
    tell("seen", evidence["hits"].as_u64().map(seen));
    tell("said", word(evidence, "text").map(str::to_owned));
    match names(evidence, "cause") {
        Some(names) => tell("because", Some(format!("what fails depends on {names}"))),
        None => tell(
            "because",
            names(evidence, "guard").map(|names| format!("the branch before it depends on {names}")),
        ),
    }
    tell("led by", names(evidence, "led"));
    tell("memory", missed(&evidence["made"]));
    tell("memory", word(evidence, "block").map(|place| format!("what the program got at {place}")));
    tell("address", evidence["address"].as_u64().map(|address| format!("{address:#x}")));
    tell(
        "driver",
        word(evidence, "null").map(|path| format!("it is the null pointer in `{path}` that fails")),
    );
    tell(
        "driver",
        word(evidence, "zeroed").map(|path| format!("it is that `{path}` is all zero that fails")),
    );
    tell("driver", word(evidence, "set").map(|path| format!("it is that `{path}` is not null that fails")));
    let unset = evidence["unset"] == true;
    tell("driver", unset.then(|| "the address was taken from where the driver put nothing".to_owned()));
    tell("unlikely", names(evidence, "unlikely"));
    tell("alone", alone(&evidence["unit-input"]));
    tell("marked", word(evidence, "annotation").map(str::to_owned));
    lines
}

fn seen(hits: u64) -> String {
    let executions = if hits == 1 { "execution" } else { "executions" };
    format!("in {hits} {executions}")
}

/// What the function fails with when it is called by itself, where the input above is a caller's.
fn alone(input: &Value) -> Option<String> {
    let slots = input.as_object()?.iter().take(SLOTS);
    let values = slots.filter_map(|(path, bytes)| Some(format!("`{path}` = {}", bytes.as_str()?)));
    let values: Vec<String> = values.collect();
    (!values.is_empty()).then(|| format!("it fails with the bytes {}", values.join(", ")))
}

fn word<'e>(evidence: &'e Value, key: &str) -> Option<&'e str> {
    evidence[key].as_str().filter(|text| !text.is_empty())
}

fn names(evidence: &Value, key: &str) -> Option<String> {
    let names = evidence[key].as_array()?.iter().filter_map(Value::as_str);
    let names: Vec<String> = names.map(|name| format!("`{name}`")).collect();
    (!names.is_empty()).then(|| names.join(", "))
}

/// Memory of the driver's making that an access went beyond.
fn missed(made: &Value) -> Option<String> {
    let place = word(made, "place")?;
    let access = if made["write"] == true { "written" } else { "read" };
    let side = if made["before"] == true { "before" } else { "beyond" };
    let length =
        if made["measured"] == true { "an input tells its length" } else { "nothing tells its length" };
    Some(format!("{access} {side} what the driver put behind `{place}`; {length}"))
}
