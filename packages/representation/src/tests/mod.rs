mod grammar;
mod ticks;
mod transform;
