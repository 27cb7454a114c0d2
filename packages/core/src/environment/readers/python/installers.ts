import { isObject } from '../../../text/json-object.ts'
import { isPackage, PROJECT, tableOf, type PythonProject } from './python-project.ts'
import { requirementFiles } from './requirement-files.ts'

/** The tool that installs a project's requirements: by its lock file, or because only it understands the settings. */
export type Installer = 'uv' | 'poetry' | 'pdm' | 'pipenv' | 'pip'

/** With the file that says so; null: there is nothing to install. */
export function installerOf(project: PythonProject): { by: Installer; file: string } | null {
  const { folder } = project
  const has = (...path: string[]) => Object.keys(tableOf(project, ...path)).length > 0
  if (folder.has('uv.lock') && !isForPoetryAlone(project)) return { by: 'uv', file: 'uv.lock' }
  if (folder.has('poetry.lock')) return { by: 'poetry', file: 'poetry.lock' }
  if (folder.has('pdm.lock')) return { by: 'pdm', file: 'pdm.lock' }
  if (folder.has('Pipfile.lock')) return { by: 'pipenv', file: 'Pipfile.lock' }
  // pip would take the names of a workspace for those of strangers' packages.
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

/** uv does not lock requirements that only Poetry reads: such a lock file is from somebody who once tried uv. */
function isForPoetryAlone(project: PythonProject): boolean {
  const { manifest, folder } = project
  if (manifest === null || !isObject(tableOf(project, 'tool')['poetry'])) return false
  if (!('project' in manifest)) return true
  const has = (...path: string[]) => Object.keys(tableOf(project, ...path)).length > 0
  return folder.has('poetry.lock') && has('tool', 'poetry', 'group') && !has('dependency-groups') && !has('tool', 'uv')
}

/** A `pyproject.toml` that only configures tools says nothing about what `setup.py` builds. */
const says = ({ manifest }: PythonProject, name: string): boolean =>
  name !== PROJECT || manifest === null || 'project' in manifest || 'build-system' in manifest
