//! The crate's tests that need only its public face, in one program.

mod build;
mod corpus;
mod edit;
mod fields;
mod find_arrays;
mod find_executable;
mod fixture;
mod mutation;
mod rules;
