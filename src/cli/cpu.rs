//! What this program has cost so far.

/// Seconds of processor time that the process has used; none where the system does not say.
#[cfg(unix)]
pub(super) fn seconds() -> Option<f64> {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ProcessCPUTime);
    Some(time.tv_sec as f64 + time.tv_nsec as f64 * 1e-9)
}

/// Seconds of processor time that the process has used; none where the system does not say.
#[cfg(not(unix))]
pub(super) fn seconds() -> Option<f64> {
    None
}
