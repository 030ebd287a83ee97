mod checked;
mod conjecture;
mod elements;
#[path = "../../../representation/src/tests/fixture.rs"]
mod fixture;
mod layout;
mod over_leaf;
mod picture;
mod scene;
