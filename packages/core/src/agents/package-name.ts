import type { AgentPreset } from './preset.ts'

/**
 * The package name of a version on the npm registry: a renamed package has its older versions under its former name.
 */
export function packageName(
  { package: pack, former }: Pick<AgentPreset, 'package' | 'former'>,
  version: string,
): string {
  return former && isBefore(version, former.before) ? former.package : pack
}

/** Compares `1.2.3`; a pre-release counts as its release. */
export function isBefore(version: string, other: string): boolean {
  const [a, b] = [numbersOf(version), numbersOf(other)]
  const first = a.findIndex((number, i) => number !== b[i])
  return first !== -1 && (a[first] ?? 0) < (b[first] ?? 0)
}

const numbersOf = (version: string): number[] =>
  version
    .split('-', 1)
    .flatMap((release) => release.split('.'))
    .map(Number)
