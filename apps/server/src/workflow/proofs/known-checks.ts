import type { BaseCheck } from '@beadloom/core/environment/proof.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { Hub } from '../../ports/hub.ts'
import type { Proof, ProofKey } from '../../ports/store/proofs.ts'
import type { Store } from '../../ports/store.ts'

/** The one that is looked for is nearly always the newest. */
const MOST_COMPARED = 4

type Deps = { store: Pick<Store, 'proof' | 'proofs' | 'checksOf' | 'verifiedCommits'>; hub: Pick<Hub, 'isSameWork'> }

/** That of this commit, or of one that differs only in beads; null: there is none. */
export async function knownProof({ store, hub }: Deps, key: ProofKey): Promise<Proof | null> {
  const own = store.proof(key)
  if (own) return own
  const others = store.proofs(key.project).filter((one) => one.endedAt !== null && one.settings === key.settings)
  for (const one of others.slice(0, MOST_COMPARED))
    if (await hub.isSameWork(key.project, one.commit, key.commit)) return one
  return null
}

/**
 * What the checks say about a commit that they have run on already: that of a bead that was merged. Null where one of them has
 * not, or not as the settings have it now.
 */
export async function knownChecks(
  { store, hub }: Deps,
  { project, commit }: ProofKey,
  { verify }: Pick<ProjectSettings, 'verify'>,
): Promise<BaseCheck[] | null> {
  for (const verified of [commit, ...store.verifiedCommits(project, MOST_COMPARED)]) {
    const rows = store.checksOf(project, verified)
    const checks = verify.map((step) =>
      rows.find(({ name, command }) => name === step.name && command === step.command),
    )
    const known = checks.filter((row) => row !== undefined)
    if (known.length < verify.length || !(await hub.isSameWork(project, verified, commit))) continue
    return known.map(asBaseCheck)
  }
  return null
}

const asBaseCheck = ({ onBase, passed, ...row }: ReturnType<Deps['store']['checksOf']>[number]): BaseCheck => ({
  name: row.name,
  type: row.type,
  command: row.command,
  passed: passed && !onBase,
  exitCode: row.exitCode,
  durationMs: row.durationMs,
  tool: row.tool,
  failures: row.failures,
  collected: row.collected,
  summary: row.summary.replace(/^fails on the base too: /, ''),
  digest: row.digest,
  findings: row.findings,
})
