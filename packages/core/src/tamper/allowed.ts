import type { Verification } from '../execution/verification.ts'
import { NOTHING_ELSEWHERE } from '../elsewhere/elsewhere-words.ts'
import { markIn, NO_SECRETS } from '../secrets/secret-words.ts'

/** A person's word that tests may be weaker: what was found, in which commit, who allowed it and why. */
export type TestsAllowed = { commit: string; findings: string[]; why: string; by: string; at: number }

/** The name of the check that refuses weaker tests. */
export const TESTS_KEPT = 'tests kept'

/** The name of the check that refuses work on what no test could check. */
export const CHECKED = 'all checked'

/** A person may allow each: tests that are weaker, work that nothing checked, a text that looks like a secret, what runs elsewhere. */
export type RefusedFor = 'weaker' | 'unchecked' | 'secrets' | 'elsewhere'

const refusing: ReadonlyMap<string, RefusedFor> = new Map([
  [TESTS_KEPT, 'weaker'],
  [CHECKED, 'unchecked'],
  [NO_SECRETS, 'secrets'],
  [NOTHING_ELSEWHERE, 'elsewhere'],
])

/** The last verification refused this, and a person may allow it. Null: nothing, or a later one has decided. */
export function refusedTests(
  verifications: readonly Pick<Verification, 'name' | 'passed' | 'attempt' | 'commit' | 'findings'>[],
): { attempt: number; commit: string; findings: string[]; because: RefusedFor } | null {
  const last = verifications.at(-1)
  const because = last && !last.passed ? refusing.get(last.name) : undefined
  if (!last || because === undefined) return null
  const { attempt, commit, findings } = last
  return { attempt, commit, findings, because }
}

/**
 * Findings that nobody has allowed. A secret is known by its mark, wherever it is by now. An allowance may be from when
 * numbers had no commas.
 */
export function notAllowed(findings: readonly string[], allowed: readonly TestsAllowed[]): string[] {
  const known = new Set(allowed.flatMap((one) => one.findings.map(sameAs)))
  return findings.filter((finding) => !known.has(sameAs(finding)))
}

const sameAs = (finding: string): string => markIn(finding) ?? withoutCommas(finding)

const withoutCommas = (text: string): string => text.replaceAll(/(?<=\d),(?=\d{3})/g, '')
