import { withoutNames } from '@beadloom/core/digest/tests-run.ts'
import type { ProofView } from '@beadloom/core/api/projects/environment-api.ts'
import type { ListedBead } from '@beadloom/core/records/bead.ts'
import { MENDS_BASE, mendsBase } from '@beadloom/core/bead/mending.ts'
import {
  byExitCodeText,
  isMendable,
  mendingBead,
  redText,
  type BaseCheck,
} from '@beadloom/core/environment/base/proof.ts'
import { sessionIdOf, type ProjectId, type SessionId } from '@beadloom/core/records/ids.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { BaseApi, Commands } from '../../http/ports.ts'
import { Problem } from '../../ports/problem.ts'
import { HubError } from '../../ports/hub.ts'
import type { ProjectRow } from '../../ports/store/projects.ts'
import type { Proof } from '../../ports/store/proofs.ts'
import type { Store } from '../../ports/store.ts'
import { gitFailed, noProject, projectNotRead } from '../stored/refusals.ts'
import type { ServerViews } from '../views/views.ts'
import { settingsOf } from '../stored/stored-settings.ts'
import type { ImagePushes } from '../../workflow/proofs/image-pushes.ts'
import { againAt, type Proofs } from '../../workflow/proofs/proofs.ts'

/** `mending`: beads filed to mend a project's base, from memory, as every view of a project asks for them. */
export type BaseViewDeps = { proofs: Proofs; mending: (project: ProjectId) => Iterable<ListedBead> }

/** The present work on a project's base, or its result, from memory; null: nothing that still counts. */
export function baseState(
  proofs: Proofs,
  row: ProjectRow,
  settings: ProjectSettings,
): Pick<ProofView, 'state' | 'text'> | null {
  const now = proofs.proving(row.id)
  if (now) return { state: 'proving', text: now.doing }
  const proof = proofs.proof(row, settings)
  return proof && { state: proof.state, text: textOf(proof, settings.workBranch) }
}

export function baseView({ proofs, mending }: BaseViewDeps, row: ProjectRow): ProofView | null {
  const settings = settingsOf(row)
  if (settings === null) return null
  const now = proofs.proving(row.id)
  const bead = openMending(mending(row.id))?.id ?? null
  if (now) {
    const { key, since, doing } = now
    const nothing = { by: null, againAt: null, checks: [], mendable: false, bead, endedAt: null }
    return { ...nothing, state: 'proving', commit: key.commit, text: doing, startedAt: since }
  }
  const proof = proofs.proof(row, settings)
  if (proof === null) return null
  const { state, commit, by, checks, startedAt, endedAt } = proof
  const mendable = isMendable(proof)
  const text = textOf(proof, settings.workBranch)
  return {
    state,
    commit,
    text,
    by,
    againAt: againAt(proof),
    checks: checks.map(withoutNames),
    mendable,
    bead,
    startedAt,
    endedAt,
  }
}

function textOf({ state, text, fix, checks }: Proof, branch: string): string {
  if (state === 'red') return redText(checks, branch)
  return state === 'green' ? byExitCodeText(checks) : [text, fix].filter(Boolean).join(' ')
}

function openMending(beads: Iterable<ListedBead>): ListedBead | null {
  for (const bead of beads) if (bead.status !== 'done' && mendsBase(bead)) return bead
  return null
}

export type BaseApiDeps = BaseViewDeps & {
  store: Pick<Store, 'project' | 'proofs' | 'beads' | 'touch'>
  views: Pick<ServerViews, 'project' | 'beadInFull'>
  addBead: Commands['addBead']
  pushes: ImagePushes
  /** The registry for an engine's images (null: the default engine); null: none. */
  registryOf: (engine: string | null) => string | null
  /** The last bytes of a log; null: there is none. */
  logEnd: (session: SessionId) => Promise<string | null>
}

/** The API of a project's base. */
export function baseApi(deps: BaseApiDeps): BaseApi {
  const { store, proofs, views } = deps
  const shown = (id: ProjectId) => views.project(id) ?? noProject(id)
  return {
    async prove(id) {
      const row = store.project(id)
      if (!row) return noProject(id)
      try {
        return (await proofs.prove(id)) ? shown(id) : projectNotRead(row)
      } catch (error) {
        if (error instanceof HubError) return gitFailed(error)
        throw error
      }
    },
    async stop(id) {
      if (!store.project(id)) return noProject(id)
      return (await proofs.stop(id)) ? shown(id) : new Problem(409, 'not_now', 'no proof of the base is running')
    },
    mend(id, once) {
      const row = store.project(id)
      if (!row) return noProject(id)
      const known = openMending(store.beads(id)) // includes a bead that was filed just now
      if (known) return views.beadInFull(id, known.id) ?? noProject(id)
      const view = baseView(deps, row)
      if (!view?.mendable) return new Problem(409, 'not_now', NOTHING_TO_MEND)
      const failing = view.checks.filter((check: BaseCheck) => !check.passed)
      const bead = mendingBead(failing, settingsOf(row)?.workBranch ?? '', view.commit)
      const made = deps.addBead(id, { ...bead, labels: [MENDS_BASE] }, once)
      store.touch('project', id, [id]) // it shows which bead is there to do so
      return made
    },
    push(id, { registry: asked }) {
      const row = store.project(id)
      if (!row) return noProject(id)
      const settings = settingsOf(row)
      if (settings === null) return projectNotRead(row)
      const registry = asked ?? deps.registryOf(settings.engine)
      if (registry === null) return new Problem(409, 'no_registry', NO_REGISTRY)
      const push = deps.pushes.begin(row, registry)
      return push.registry === registry
        ? push
        : new Problem(409, 'not_now', `a push to ${push.registry} is running: wait until it is over`)
    },
    pushed(id) {
      if (!store.project(id)) return noProject(id)
      return (
        deps.pushes.of(id) ?? new Problem(404, 'not_found', `no image of ${id} was pushed since the server started`)
      )
    },
    stopPush(id) {
      if (!store.project(id)) return noProject(id)
      return deps.pushes.stop(id) ?? new Problem(409, 'not_now', 'no push is running')
    },
    async log(id, of) {
      if (!store.project(id)) return noProject(id)
      // A proof known from a verification, or with a ready environment, has printed nothing.
      for (const proof of [proofs.proving(id), ...store.proofs(id)]) {
        const text = proof && (await deps.logEnd(sessionIdOf(proof.id, of === 'setup' ? 1 : 2)))
        if (typeof text === 'string') return text
      }
      return new Problem(404, 'not_found', `no proof of the base has printed anything in its ${of}`)
    },
  }
}

const NO_REGISTRY =
  "Name a registry: HOST[:PORT][/PATH], as in registry.example/beadloom. The project's engine has none: a cluster's is images.registry under engines in config.json."

const NOTHING_TO_MEND =
  'There is nothing that an agent could fix: the base is green or not proved, or it has nothing to work in. The project says what to do.'
