import type { ProofView } from '@beadloom/core/api/projects/environment-api.ts'
import type { PushImage } from '@beadloom/core/api/projects/project-requests.ts'
import { MENDS_BASE } from '@beadloom/core/bead/mending.ts'
import { mendingBead, type BaseCheck } from '@beadloom/core/environment/base/proof.ts'
import { sessionIdOf, type ProjectId, type SessionId } from '@beadloom/core/records/ids.ts'
import { gitFailed, noProject, projectNotRead } from '../../app/stored/refusals.ts'
import { settingsOf } from '../../app/stored/stored-settings.ts'
import { openMending } from '../../app/views/base-view.ts'
import { HubError } from '../../ports/hub.ts'
import type { Once } from '../../ports/once.ts'
import { Problem } from '../../ports/problem.ts'
import type { ProjectRow } from '../../ports/store/projects.ts'
import type { Store } from '../../ports/store.ts'
import type { ImagePushes } from '../../workflow/proofs/image-pushes.ts'
import type { Proofs } from '../../workflow/proofs/proofs.ts'
import { addBead, type BeadCommandDeps } from '../beads/bead-commands.ts'

export type BaseDeps = {
  /** The state of the commit that a project's beads start from. */
  base: (row: ProjectRow) => ProofView | null
  proofs: Pick<Proofs, 'prove' | 'stop' | 'proving'>
  store: Pick<Store, 'project' | 'proofs' | 'beads' | 'touch'>
  pushes: ImagePushes
  /** The registry for an engine's images (null: the default engine); null: none. */
  registryOf: (engine: string | null) => string | null
  /** The last bytes of a log; null: there is none. */
  logEnd: (session: SessionId) => Promise<string | null>
}

/** Whether the base of a project's beads is fit to work on. */
export function baseOf(deps: BaseDeps & BeadCommandDeps) {
  const { store, proofs, views } = deps
  const shown = (id: ProjectId) => views.project(id) ?? noProject(id)
  return {
    /** Proves it now, even if it is proved already; answers at once. */
    async prove(id: ProjectId) {
      const row = store.project(id)
      if (!row) return noProject(id)
      try {
        return (await proofs.prove(id)) ? shown(id) : projectNotRead(row)
      } catch (error) {
        if (error instanceof HubError) return gitFailed(error)
        throw error
      }
    },
    /** Nothing of the project starts until the base is proved again. */
    async stop(id: ProjectId) {
      if (!store.project(id)) return noProject(id)
      return (await proofs.stop(id)) ? shown(id) : new Problem(409, 'not_now', 'no proof of the base is running')
    },
    /** Creates a bead to fix the base, once. */
    mend(id: ProjectId, once: Once) {
      const row = store.project(id)
      if (!row) return noProject(id)
      const known = openMending(store.beads(id)) // includes a bead that was filed just now
      if (known) return views.beadInFull(id, known.id) ?? noProject(id)
      const view = deps.base(row)
      if (!view?.mendable) return new Problem(409, 'not_now', NOTHING_TO_MEND)
      const failing = view.checks.filter((check: BaseCheck) => !check.passed)
      const bead = mendingBead(failing, settingsOf(row)?.workBranch ?? '', view.commit)
      const made = addBead(deps, id, { ...bead, labels: [MENDS_BASE] }, once)
      store.touch('project', id, [id]) // it shows which bead is there to do so
      return made
    },
    /** Pushes the base's image, made first if it is missing; answers at once. */
    push(id: ProjectId, { registry: asked }: PushImage) {
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
    pushed(id: ProjectId) {
      if (!store.project(id)) return noProject(id)
      return (
        deps.pushes.of(id) ?? new Problem(404, 'not_found', `no image of ${id} was pushed since the server started`)
      )
    },
    stopPush(id: ProjectId) {
      if (!store.project(id)) return noProject(id)
      return deps.pushes.stop(id) ?? new Problem(409, 'not_now', 'no push is running')
    },
    /** The end of the output of `setup` or the checks, from the newest proof that printed any. */
    async log(id: ProjectId, of: 'setup' | 'checks') {
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
