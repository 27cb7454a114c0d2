import type { ExecutionFlag } from '../records/execution.ts'
import { stepWords, type Verification } from '../records/verification.ts'

type Verified = Pick<Verification, 'attempt' | 'purpose'>

/** Facts for people about a verification that is decided, whatever its verdict. */
export function verificationFlags(
  verifications: readonly Verification[],
  { attempt, purpose }: Verified,
  passed: boolean,
): ExecutionFlag[] {
  const rows = verifications.filter((row) => row.attempt === attempt && row.purpose === purpose)
  return [flaky(rows, attempt), passed ? checksMade(rows) : null, failsOnBase(rows)].filter((flag) => flag !== null)
}

/** The two runs on the same commit had different results. */
function flaky(rows: readonly Verification[], attempt: number): ExecutionFlag | null {
  const failuresOfRun = (number: number) => rows.filter(({ run, passed }) => run === number && !passed)
  const [first, second] = [failuresOfRun(1), failuresOfRun(2)]
  const [one] = first
  if (one === undefined || !rows.some(({ run }) => run === 2)) return null
  const marks = (some: readonly Verification[]) => some.map(({ name, fingerprint }) => `${name}:${fingerprint}`).join()
  if (marks(first) === marks(second)) return null
  const names = first.map(({ name }) => name).join(', ')
  const text =
    second.length === 0
      ? `${names} failed and then passed on the same commit (attempt ${attempt}): ${one.summary}`
      : `${names} failed in two different ways on the same commit (attempt ${attempt})`
  return { kind: 'flaky', text }
}

/** The author of the work also wrote the checks that passed it. */
function checksMade(rows: readonly Verification[]): ExecutionFlag | null {
  const own = rows.filter(({ made, run }) => made && run === 1)
  if (own.length === 0) return null
  const text = `the project had no tests: this bead made the checks that it passed, ${own.map(stepWords).join(', ')}`
  return { kind: 'checks_made', text }
}

/** Failures on the base, too, once for each check; they fail no attempt. */
function failsOnBase(rows: readonly Verification[]): ExecutionFlag | null {
  const names = new Set(rows.filter(({ onBase }) => onBase).map(stepWords))
  if (names.size === 0) return null
  return { kind: 'base_red', text: `not counted, because it fails on the base too: ${[...names].join(', ')}` }
}
