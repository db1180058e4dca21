//! The report of a run: the data, and its views.
//!
//! [`model`] is the report. [`write`](mod@write) puts it and its views into a directory, [`merge`] joins the parts of a
//! split run. Every view is a pure function of the data: nothing in it depends on time, machine or the order of a map.

pub mod html;
pub mod junit;
pub mod merge;
pub mod model;
pub mod sarif;
pub mod text;
pub mod write;

mod figures;
#[cfg(test)]
mod sample;
