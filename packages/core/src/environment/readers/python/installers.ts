import { isObject } from '../../../text/json-object.ts'
import { isPackage, PROJECT, tableOf, type PythonProject } from './python-project.ts'
import { requirementFiles } from './requirement-files.ts'

/** What installs a project's requirements: the tool whose lock file there is, or whose words only it understands. */
export type Installer = 'uv' | 'poetry' | 'pdm' | 'pipenv' | 'pip'

/** With the file that says so; null: there is nothing to install. */
export function installerOf(project: PythonProject): { by: Installer; file: string } | null {
  const { folder } = project
  const has = (...path: string[]) => Object.keys(tableOf(project, ...path)).length > 0
  if (folder.has('uv.lock') && !isForPoetryAlone(project)) return { by: 'uv', file: 'uv.lock' }
  if (folder.has('poetry.lock')) return { by: 'poetry', file: 'poetry.lock' }
  if (folder.has('pdm.lock')) return { by: 'pdm', file: 'pdm.lock' }
  if (folder.has('Pipfile.lock')) return { by: 'pipenv', file: 'Pipfile.lock' }
  // To pip, the names of a workspace are names like any other: it would take strangers' packages for them.
  if (has('tool', 'uv', 'sources') || has('tool', 'uv', 'workspace') || has('tool', 'uv', 'dev-dependencies'))
    return { by: 'uv', file: PROJECT }
  if (isObject(tableOf(project, 'tool')['poetry'])) return { by: 'poetry', file: PROJECT }
  if (isPackage(project)) {
    const file = [PROJECT, 'setup.py', 'setup.cfg'].find((name) => folder.has(name) && says(project, name))
    return { by: 'pip', file: file ?? PROJECT }
  }
  if (folder.has('Pipfile')) return { by: 'pipenv', file: 'Pipfile' }
  const { base, tests } = requirementFiles(project.files)
  const file = [...base, ...tests][0]
  return file === undefined ? null : { by: 'pip', file }
}

/** uv locks nothing of what only Poetry reads: such a lock file was made by somebody who tried uv once. */
function isForPoetryAlone(project: PythonProject): boolean {
  const { manifest, folder } = project
  if (manifest === null || !isObject(tableOf(project, 'tool')['poetry'])) return false
  if (!('project' in manifest)) return true
  const has = (...path: string[]) => Object.keys(tableOf(project, ...path)).length > 0
  return folder.has('poetry.lock') && has('tool', 'poetry', 'group') && !has('dependency-groups') && !has('tool', 'uv')
}

/** A `pyproject.toml` that only configures tools says nothing of what `setup.py` builds. */
const says = ({ manifest }: PythonProject, name: string): boolean =>
  name !== PROJECT || manifest === null || 'project' in manifest || 'build-system' in manifest
