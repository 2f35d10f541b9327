//! What `cargo metadata` says of the workspace and of everything that it depends on.

use serde_json::Value;

use crate::command::cargo;

/// A package, ours or somebody else's.
#[derive(Debug)]
pub(crate) struct Package {
    pub(crate) name: String,
    pub(crate) licence: Option<String>,
    /// Names of direct dependencies: normal, build and development ones alike.
    pub(crate) dependencies: Vec<String>,
    pub(crate) member: bool,
}

/// Every package of the lock file that the workspace reaches.
pub(crate) fn packages() -> Result<Vec<Package>, String> {
    packages_of("Cargo.toml")
}

/// The same for the workspace of another manifest.
pub(crate) fn packages_of(manifest: &str) -> Result<Vec<Package>, String> {
    let output = cargo()
        .args(["metadata", "--format-version", "1", "--locked", "--manifest-path", manifest])
        .output()
        .map_err(|error| format!("cannot start cargo metadata: {error}"))?;
    if !output.status.success() {
        return Err(format!("cargo metadata failed:\n{}", String::from_utf8_lossy(&output.stderr)));
    }
    let value: Value = serde_json::from_slice(&output.stdout)
        .map_err(|error| format!("cargo metadata is not JSON: {error}"))?;
    let members = strings(value.get("workspace_members"));
    let packages =
        value.get("packages").and_then(Value::as_array).ok_or("cargo metadata lists no packages")?;
    Ok(packages.iter().filter_map(|package| read(package, &members)).collect())
}

fn read(package: &Value, members: &[String]) -> Option<Package> {
    let dependencies = package.get("dependencies").and_then(Value::as_array)?;
    Some(Package {
        name: package.get("name")?.as_str()?.to_owned(),
        licence: package.get("license").and_then(Value::as_str).map(str::to_owned),
        dependencies: dependencies
            .iter()
            .filter_map(|dependency| dependency.get("name")?.as_str().map(str::to_owned))
            .collect(),
        member: members
            .iter()
            .any(|member| Some(member.as_str()) == package.get("id").and_then(Value::as_str)),
    })
}

fn strings(value: Option<&Value>) -> Vec<String> {
    let items = value.and_then(Value::as_array).map(Vec::as_slice).unwrap_or_default();
    items.iter().filter_map(|item| item.as_str().map(str::to_owned)).collect()
}
