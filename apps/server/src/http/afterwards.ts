/** Begins a write that no answer waits for. `report` is called if it fails. */
export function afterwards(write: () => unknown, report: (error: unknown) => void): void {
  void (async () => write())().catch(report)
}
