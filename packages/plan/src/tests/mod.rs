#[path = "../../../representation/src/tests/fixture.rs"]
mod fixture;
mod layout;
mod picture;
mod elements;
mod checked;
mod scene;
