import type { Transfer, WatchTransfer } from '../../ports/hub.ts'

const LONGEST_LINE = 500

/** Git's names for the parts, in words for people. In the C locale, which every git of ours has. */
const parts: readonly [RegExp, string][] = [
  [/^(?:remote: )?(?:Enumerating|Counting) objects/, 'counting objects'],
  [/^(?:remote: )?Compressing objects/, 'compressing'],
  [/^(?:Receiving|Unpacking) objects/, 'receiving objects'],
  [/^Resolving deltas/, 'resolving deltas'],
  [/^Checking connectivity/, 'checking'],
  [/^Updating files/, 'updating files'],
]

const units: Record<string, number> = { bytes: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3, TiB: 1024 ** 4 }

/** Reads the progress that git prints to standard error, piece by piece. Skips everything else. */
export class TransferReader {
  readonly #watch: WatchTransfer
  #rest = ''

  constructor(watch: WatchTransfer) {
    this.#watch = watch
  }

  readonly take = (piece: string): void => {
    const lines = (this.#rest + piece).split(/[\r\n]/)
    this.#rest = (lines.pop() ?? '').slice(-LONGEST_LINE)
    for (const line of lines) {
      const seen = transferIn(line.slice(0, LONGEST_LINE))
      if (seen !== null) this.#watch(seen)
    }
  }
}

/** "Receiving objects:  42% (21000/50000), 210.50 MiB | 12.00 MiB/s"; null: no such line. */
export function transferIn(line: string): Transfer | null {
  const doing = parts.find(([pattern]) => pattern.test(line))?.[1]
  if (doing === undefined) return null
  const [, percent] = /:\s+(\d{1,3})%/.exec(line) ?? []
  const [, amount, unit = ''] = /,\s(\d+(?:\.\d+)?) (bytes|[KMGT]iB)(?:\s|$|,)/.exec(line) ?? []
  return {
    doing,
    percent: percent === undefined ? null : Math.min(100, Number(percent)),
    bytes: amount === undefined ? null : Math.round(Number(amount) * (units[unit] ?? 1)),
  }
}
