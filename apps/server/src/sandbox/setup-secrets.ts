import type { ProjectId } from '@beadloom/core/records/ids.ts'
import type { ProjectSettings } from '@beadloom/core/project/project-config.ts'
import type { ExecutionDeps } from '../execution/deps.ts'
import { EndedEarly, failed } from '../execution/ends.ts'
import { SecretFileError } from '../process/secret-file.ts'

/** The secrets that only a project's `setup` gets. Rejects with the names of those that are not set. */
export function secretsOf(
  { secrets }: Pick<ExecutionDeps, 'secrets'>,
  project: ProjectId,
  settings: Pick<ProjectSettings, 'secrets' | 'setup'>,
): Record<string, string> {
  if (settings.setup === null || settings.secrets.length === 0) return {}
  const known = readable(secrets, project, settings.secrets)
  const names = settings.secrets.filter((name) => !Object.hasOwn(known, name))
  if (names.length > 0) throw new EndedEarly(failed({ kind: 'secret_missing', project, names }))
  return Object.fromEntries(settings.secrets.map((name) => [name, known[name]!]))
}

/** Reads the secrets. A file that cannot be used counts as if there were none, and the error says what to do. */
function readable({ of }: ExecutionDeps['secrets'], project: ProjectId, names: readonly string[]) {
  try {
    return of(project)
  } catch (error) {
    if (!(error instanceof SecretFileError)) throw error
    throw new EndedEarly(failed({ kind: 'secret_missing', project, names }, ` In fact, ${error.message}.`))
  }
}
