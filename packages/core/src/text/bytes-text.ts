import { trimmed } from './count-text.ts'

/** "100 B", "1.5 KiB", "41 GiB". */
export function bytesText(n: number): string {
  if (n < 1024) return `${n} B`
  if (n < 1024 ** 2) return `${trimmed(n / 1024)} KiB`
  if (n < 1024 ** 3) return `${trimmed(n / 1024 ** 2)} MiB`
  return `${trimmed(n / 1024 ** 3)} GiB`
}
