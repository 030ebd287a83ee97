mod fixture;
mod grammar;
mod recipe;
mod ticks;
mod transform;
