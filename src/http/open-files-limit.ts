/** How many files and connections this process may have open; Infinity where the system has no such limit. */
export function openFilesLimit(): number {
  // `excludeNetwork` is missing in the types of Node. With the network, the report would look up names.
  const report: typeof process.report & { excludeNetwork?: boolean } = process.report;
  const before = report.excludeNetwork ?? false;
  report.excludeNetwork = true;
  try {
    const { userLimits } = report.getReport() as { userLimits?: { open_files?: { soft?: unknown } } };
    const soft = userLimits?.open_files?.soft;
    return typeof soft === "number" ? soft : Infinity;
  } finally {
    report.excludeNetwork = before;
  }
}
