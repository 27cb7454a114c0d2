import type { SecretView } from '@beadloom/core/api/settings/secrets-api.ts'
import type { ProjectId } from '@beadloom/core/records/ids.ts'
import { MOST_SECRETS, secretProblem } from '@beadloom/core/project/variables.ts'
import { Problem } from '../../ports/problem.ts'
import type { Store } from '../../ports/store.ts'
import type { Logger } from '../../process/logger.ts'
import { SecretFileError, type Secrets } from '../../process/secret-file.ts'
import type { Proofs } from '../../workflow/proofs/proofs.ts'
import { noProject } from '../../app/stored/refusals.ts'
import { settingsOf } from '../../app/stored/stored-settings.ts'

export type ProjectSecretsDeps = {
  store: Pick<Store, 'project' | 'touch'>
  secrets: Secrets
  log: Logger
  /** A base may have lacked what was set, and is looked at again. */
  proofs: Pick<Proofs, 'lookAgain'>
}

/** The variables that a project's setup finds in its environment; no answer contains a value. */
export function projectSecrets({ store, secrets, log, proofs }: ProjectSecretsDeps) {
  const listed = (id: ProjectId): { items: SecretView[] } => {
    const row = store.project(id)
    const wanted = (row && settingsOf(row)?.secrets) ?? []
    const set = Object.keys(secrets.of(id))
    const names = [...new Set([...wanted, ...set])].sort()
    return { items: names.map((name) => ({ name, set: set.includes(name), wanted: wanted.includes(name) })) }
  }
  /** A project's secrets after `act`, or why there are none to show. */
  const answered = (id: ProjectId, act: () => Problem | void): Problem | { items: SecretView[] } => {
    if (!store.project(id)) return noProject(id)
    try {
      const problem = act()
      if (problem) return problem
      store.touch('project', id, [id])
      return listed(id)
    } catch (error) {
      if (error instanceof SecretFileError) return new Problem(409, 'not_now', error.message)
      throw error
    }
  }
  return {
    list: (id: ProjectId) => (store.project(id) ? answered(id, () => {}) : noProject(id)),
    set: (id: ProjectId, name: string, value: string) =>
      answered(id, () => {
        const wrong = secretProblem(value)
        if (wrong !== null)
          return new Problem(422, 'invalid_input', `the value of ${name} ${wrong}. Nothing was changed.`)
        const known = Object.keys(secrets.of(id))
        if (!known.includes(name) && known.length >= MOST_SECRETS)
          return new Problem(422, 'invalid_input', `${id} has ${MOST_SECRETS} secrets already. Remove one first.`)
        secrets.set(id, name, value)
        proofs
          .lookAgain(id)
          .catch((error: unknown) => log.info({ error, project: id }, 'a base is not proved again yet'))
      }),
    remove: (id: ProjectId, name: string) =>
      answered(id, () =>
        secrets.remove(id, name)
          ? undefined
          : new Problem(404, 'not_found', `${id} has no secret ${name} on this server`),
      ),
  }
}
