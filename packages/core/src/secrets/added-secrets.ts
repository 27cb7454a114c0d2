import type { FoundSecret } from './found-secret.ts'

/** A shorter line is in many files, whatever it belongs to. */
const LEAST_RARE = 8

/** A line that identifies a secret: a private key has many, each as rare as all. '': no line is rare enough. */
export function rareLine({ secret }: Pick<FoundSecret, 'secret'>): string {
  const longest = secret.split(/[\r\n]+/).reduce((best, line) => (line.length > best.length ? line : best), '')
  return longest.length < LEAST_RARE ? '' : longest
}

const nameOf = ({ commit, path, secret }: FoundSecret): string => `${commit} ${path} ${secret}`

/** The findings in changed lines, then those in whole files that are in no changed line. */
export function foundIn(lines: readonly FoundSecret[], files: readonly FoundSecret[]): FoundSecret[] {
  const inLines = new Set(lines.map(nameOf))
  return [...lines, ...files.filter((one) => !inLines.has(nameOf(one)))]
}

/**
 * The secrets that the work adds. `now`: in its present files. `before`: only in an earlier commit, each once for a file.
 *
 * @param known rare lines that the base has already: moved lines, and secrets that everybody has
 */
export function addedSecrets(
  found: readonly FoundSecret[],
  known: { has(line: string): boolean },
): { now: FoundSecret[]; before: FoundSecret[] } {
  const added = found.filter((one) => !known.has(rareLine(one)))
  const now = added.filter(({ commit }) => commit === '')
  const here = new Set(now.map(({ secret }) => secret))
  const before = added.filter(({ commit, secret }) => commit !== '' && !here.has(secret))
  return { now, before: [...new Map(before.map((one) => [`${one.path} ${one.secret}`, one])).values()] }
}
