/** Begins a write that no answer waits for. `report`: it could not be done. */
export function afterwards(write: () => unknown, report: (error: unknown) => void): void {
  void (async () => write())().catch(report)
}
