mod checked;
mod conjecture;
mod elements;
#[path = "../../../representation/src/tests/fixture.rs"]
mod fixture;
mod layout;
mod picture;
mod scene;
