import type { Verification } from '../records/verification.ts'
import { NOTHING_ELSEWHERE } from '../elsewhere/elsewhere-words.ts'
import { markIn, NO_SECRETS } from '../secrets/secret-words.ts'

/** A person's permission for weaker tests: the findings, their commit, who allowed them and why. */
export type TestsAllowed = { commit: string; findings: string[]; why: string; by: string; at: number }

/** The name of the check that refuses weaker tests. */
export const TESTS_KEPT = 'tests kept'

/** The name of the check that refuses work that no test could check. */
export const CHECKED = 'all checked'

/** The kinds that a person may allow: weaker tests, unchecked work, possible secrets, code that runs elsewhere. */
export type RefusedFor = 'weaker' | 'unchecked' | 'secrets' | 'elsewhere'

const refusing: ReadonlyMap<string, RefusedFor> = new Map([
  [TESTS_KEPT, 'weaker'],
  [CHECKED, 'unchecked'],
  [NO_SECRETS, 'secrets'],
  [NOTHING_ELSEWHERE, 'elsewhere'],
])

/** Findings that the last verification refused and a person may allow. Null: none, or a later one has decided. */
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
 * Findings that nobody has allowed. A secret is identified by its mark, wherever it has moved. An older allowance may
 * have numbers without commas.
 */
export function notAllowed(findings: readonly string[], allowed: readonly TestsAllowed[]): string[] {
  const known = new Set(allowed.flatMap((one) => one.findings.map(sameAs)))
  return findings.filter((finding) => !known.has(sameAs(finding)))
}

const sameAs = (finding: string): string => markIn(finding) ?? withoutCommas(finding)

const withoutCommas = (text: string): string => text.replaceAll(/(?<=\d),(?=\d{3})/g, '')

/** "; allowed by ann: they are old", by the newest word on any of these findings; '' where nobody has allowed one. */
export function whoAllowed(findings: readonly string[], allowed: readonly TestsAllowed[]): string {
  const one = allowed.findLast((word) => findings.some((finding) => notAllowed([finding], [word]).length === 0))
  return one ? `; allowed by ${one.by}${one.why === '' ? '' : `: ${one.why}`}` : ''
}
