import type { Verification } from '../execution/verification.ts'

/** A person's word that tests may be weaker: what was found, in which commit, who allowed it and why. */
export type TestsAllowed = { commit: string; findings: string[]; why: string; by: string; at: number }

/** The name of the check that refuses weaker tests. */
export const TESTS_KEPT = 'tests kept'

/** The name of the check that refuses work on what no test could check. */
export const CHECKED = 'all checked'

/** What the last verification refused and a person may allow: weaker tests, work that is not checked. Null: nothing, or a later one has decided. */
export function refusedTests(
  verifications: readonly Pick<Verification, 'name' | 'passed' | 'attempt' | 'commit' | 'findings'>[],
): { attempt: number; commit: string; findings: string[]; unchecked: boolean } | null {
  const last = verifications.at(-1)
  if (!last || last.passed || (last.name !== TESTS_KEPT && last.name !== CHECKED)) return null
  const { attempt, commit, findings, name } = last
  return { attempt, commit, findings, unchecked: name === CHECKED }
}

/** What nobody has allowed. An allowance may be from when numbers were written without commas. */
export function notAllowed(findings: readonly string[], allowed: readonly TestsAllowed[]): string[] {
  const known = new Set(allowed.flatMap((one) => one.findings.map(withoutCommas)))
  return findings.filter((finding) => !known.has(withoutCommas(finding)))
}

const withoutCommas = (text: string): string => text.replaceAll(/(?<=\d),(?=\d{3})/g, '')
