import type { ExecutionId, ProjectId, SessionId } from '@beadloom/core/records/ids.ts'
import { withoutNamesOf, type ToolTests } from '@beadloom/core/digest/tests-run.ts'
import type { Opinion, Verification } from '@beadloom/core/records/verification.ts'
import type { VerificationStore } from '../../ports/store/verifications.ts'
import type { Writing } from '../database/writer.ts'

type VerificationRow = {
  attempt: number
  purpose: Verification['purpose']
  run: number
  step: number
  session: SessionId
  name: string
  type: Verification['type']
  command: string
  commit_id: string
  passed: number
  exit_code: number | null
  duration_ms: number
  tool: string
  failures: number | null
  collected: number | null
  /** JSON; '' if no test runner was seen. */
  tests: string
  summary: string
  digest: string
  fingerprint: string
  findings: string
  verdict: Verification['verdict']
  made: number
  on_base: number
  /** JSON, or null. */
  opinion: string | null
  at: number
}

/** Without the names of tests, which are most of it. */
type ShortRow = Omit<VerificationRow, 'tests'> & { id: number }

type AllowedRow = { commit_id: string; findings: string; why: string; by_whom: string; at: number }

/** Rows never change, so their tests are kept once they have been read and shortened. */
const MOST_KEPT = 10_000

/** The most steps of verifications that are searched for the newest commits. */
const MOST_STEPS = 500

/** The result of each step of each verification, and how often something was tried again. */
export const verificationStore = (writing: Writing): VerificationStore => ({
  ...results(writing),
  ...passed(writing),
  ...verificationWrites(writing),
})

function results({ db }: Writing): Pick<VerificationStore, 'verifications' | 'verificationsInShort'> {
  const select = db.prepare<[string], VerificationRow>('SELECT * FROM verification WHERE execution = ? ORDER BY rowid')
  const selectShort = db.prepare<[string], ShortRow>(
    `SELECT rowid AS id, attempt, purpose, run, step, session, name, type, command, commit_id, passed, exit_code, duration_ms,
       tool, failures, collected, summary, digest, fingerprint, findings, verdict, made, on_base, opinion, at
     FROM verification WHERE execution = ? ORDER BY rowid`,
  )
  const selectTests = db.prepare<[number], Pick<VerificationRow, 'tests'>>(
    'SELECT tests FROM verification WHERE rowid = ?',
  )
  const kept = new Map<string, readonly ToolTests[] | null>()
  const testsInShort = ({ id, session, step }: ShortRow): readonly ToolTests[] | null => {
    // Another row may get the number once its project is gone.
    const key = `${session} ${step}`
    const known = kept.get(key)
    if (known !== undefined) return known
    const tests = testsIn(selectTests.get(id)?.tests ?? '')?.map(withoutNamesOf) ?? null
    kept.set(key, tests)
    for (const old of kept.keys()) {
      if (kept.size <= MOST_KEPT) break
      kept.delete(old)
    }
    return tests
  }

  return {
    verifications: (execution) => select.all(execution).map(toVerification),

    verificationsInShort: (execution) =>
      selectShort.all(execution).map((row) => {
        const tests = testsInShort(row)
        return { ...withoutTests(row), ...(tests !== null && { tests }) }
      }),
  }
}

type Passed = 'isVerified' | 'verifiedCommits' | 'checksOf' | 'commitsPassing' | 'testsAllowed'

/** Commits that passed, and what people have allowed. */
function passed({ db }: Writing): Pick<VerificationStore, Passed> {
  const verified = db.prepare<[string, string], { passed: number }>(
    `SELECT min(passed) AS passed FROM verification JOIN execution ON id = execution
     WHERE commit_id = ? AND project = ? GROUP BY execution, verification.attempt, purpose, run
     HAVING min(passed) = 1 AND max(iif(on_base, 0, exit_code)) = 0 LIMIT 1`,
  )
  const verifiedNewest = db.prepare<[string, number, number], { commit_id: string }>(
    `SELECT commit_id FROM (
       SELECT verification.rowid AS at_row, verification.* FROM verification JOIN execution ON id = execution
       WHERE project = ? ORDER BY verification.rowid DESC LIMIT ?)
     GROUP BY commit_id, execution, attempt, purpose, run HAVING min(passed) = 1 AND max(iif(on_base, 0, exit_code)) = 0 ORDER BY max(at_row) DESC LIMIT ?`,
  )
  const passing = db.prepare<[string, number, string, string, number], { commit_id: string }>(
    `SELECT commit_id FROM (
       SELECT verification.rowid AS at_row, commit_id, name, command, passed FROM verification
       JOIN execution ON id = execution WHERE project = ? ORDER BY verification.rowid DESC LIMIT ?)
     WHERE name = ? AND command = ? AND passed = 1 GROUP BY commit_id ORDER BY max(at_row) DESC LIMIT ?`,
  )
  const checks = db.prepare<[string, string, string, string], VerificationRow>(
    `WITH good AS (
       SELECT execution, verification.attempt, purpose, run, max(verification.at) AS newest
       FROM verification JOIN execution ON id = execution
       WHERE commit_id = ? AND project = ? GROUP BY execution, verification.attempt, purpose, run
       HAVING min(passed) = 1 AND max(iif(on_base, 0, exit_code)) = 0 ORDER BY newest DESC LIMIT 1)
     SELECT verification.* FROM verification JOIN good USING (execution, attempt, purpose, run)
       JOIN execution ON execution.id = verification.execution
     WHERE commit_id = ? AND project = ? ORDER BY step`,
  )
  const allowed = db.prepare<[string, string], AllowedRow>(
    'SELECT commit_id, findings, why, by_whom, at FROM tests_allowed WHERE project = ? AND bead = ? ORDER BY id',
  )
  return {
    isVerified: (project, commit) => verified.get(commit, project) !== undefined,

    verifiedCommits: (project, limit) => [
      ...new Set(verifiedNewest.all(project, MOST_STEPS, limit).map(({ commit_id: commit }) => commit)),
    ],

    checksOf: (project, commit) => checks.all(commit, project, commit, project).map(toVerification),

    commitsPassing: (project, { name, command }, limit) =>
      passing.all(project, MOST_STEPS, name, command, limit).map(({ commit_id: commit }) => commit),

    testsAllowed: (project, bead) =>
      allowed.all(project, bead).map(({ commit_id: commit, findings, why, by_whom: by, at }) => ({
        commit,
        findings: JSON.parse(findings) as string[],
        why,
        by,
        at,
      })),
  }
}

type Writes = 'addVerifications' | 'allowTests' | 'addRetry'

function verificationWrites({ db, clock, write, changed, event }: Writing): Pick<VerificationStore, Writes> {
  const projectOf = db.prepare<[string], { project: ProjectId }>('SELECT project FROM execution WHERE id = ?')
  const insert = db.prepare<[VerificationRow & { execution: ExecutionId }]>(
    `INSERT INTO verification (execution, attempt, purpose, run, step, session, name, type, command, commit_id, passed,
       exit_code, duration_ms, tool, failures, collected, tests, summary, digest, fingerprint, findings, verdict, made, on_base, opinion, at)
     VALUES (@execution, @attempt, @purpose, @run, @step, @session, @name, @type, @command, @commit_id, @passed,
       @exit_code, @duration_ms, @tool, @failures, @collected, @tests, @summary, @digest, @fingerprint, @findings, @verdict,
       @made, @on_base, @opinion, @at)`,
  )
  const count = db.prepare<[string, string, string, number]>(
    'INSERT INTO retry (execution, layer, reason, at) VALUES (?, ?, ?, ?)',
  )
  const allow = db.prepare<[string, string, string, string, number, string]>(
    `INSERT INTO tests_allowed (project, bead, execution, commit_id, findings, why, by_whom, at)
     SELECT project, bead, id, ?, ?, ?, ?, ? FROM execution WHERE id = ?`,
  )
  const tell = (execution: ExecutionId) => {
    const project = projectOf.get(execution)?.project
    if (project) changed('execution', project, execution)
  }

  return {
    addVerifications: (execution, verifications) =>
      write(() => {
        for (const one of verifications) insert.run({ execution, ...toRow(one) })
        tell(execution)
      }),

    allowTests: (execution, { commit, findings, why, by }) =>
      write(() => {
        const at = clock.now()
        allow.run(commit, JSON.stringify(findings), why, by, at, execution)
        event({ execution, session: null, type: 'tests_allowed', data: { commit, findings, why, by }, line: null, at })
        tell(execution)
      }),

    addRetry: (execution, layer, reason) =>
      write(() => {
        count.run(execution, layer, reason, clock.now())
        tell(execution)
      }),
  }
}

function toRow({
  commit,
  passed,
  exitCode,
  durationMs,
  findings,
  tests,
  made,
  onBase,
  opinion,
  ...same
}: Verification): VerificationRow {
  return {
    ...same,
    commit_id: commit,
    passed: passed ? 1 : 0,
    exit_code: exitCode,
    duration_ms: Math.round(durationMs),
    findings: JSON.stringify(findings),
    tests: tests === undefined ? '' : JSON.stringify(tests),
    made: made ? 1 : 0,
    on_base: onBase ? 1 : 0,
    opinion: opinion ? JSON.stringify(opinion) : null,
  }
}

const testsIn = (text: string): ToolTests[] | null => (text === '' ? null : (JSON.parse(text) as ToolTests[]))

/** Names of tests are parsed on demand, which is rare. */
function toVerification(row: VerificationRow): Verification {
  const verification = withoutTests(row)
  if (row.tests === '') return verification
  let tests: ToolTests[] | null = null
  return Object.defineProperty(verification, 'tests', {
    enumerable: true,
    configurable: true,
    get: () => (tests ??= testsIn(row.tests)),
  })
}

const withoutTests = (row: Omit<VerificationRow, 'tests'>): Verification => ({
  attempt: row.attempt,
  purpose: row.purpose,
  run: row.run,
  step: row.step,
  session: row.session,
  name: row.name,
  type: row.type,
  command: row.command,
  commit: row.commit_id,
  passed: row.passed === 1,
  exitCode: row.exit_code,
  durationMs: row.duration_ms,
  tool: row.tool,
  failures: row.failures,
  collected: row.collected,
  summary: row.summary,
  digest: row.digest,
  fingerprint: row.fingerprint,
  findings: JSON.parse(row.findings) as string[],
  verdict: row.verdict,
  ...(row.made === 1 && { made: true }),
  ...(row.on_base === 1 && { onBase: true }),
  ...(row.opinion !== null && { opinion: JSON.parse(row.opinion) as Opinion }),
  at: row.at,
})
