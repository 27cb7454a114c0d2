import { fieldsOf } from '../../formats/records.ts'
import type { Installer } from './installers.ts'
import { testNeeds } from './needs-of-tests.ts'
import {
  askedFor,
  askedInFiles,
  askedInGroups,
  askedInPipfile,
  askedInTable,
  packageOf,
  siblingsOf,
  type Asked,
  type Siblings,
} from './own-packages.ts'
import { tableOf, type PythonProject } from './python-project.ts'
import { sameName } from './requirement.ts'

/** `builders`: those among them that build others, as words for pip. */
export type AskedSiblings = Siblings & { builders: readonly string[] }

const none: AskedSiblings = { folders: [], editables: [], names: new Set(), build: [], builders: [] }

const LOCKS: Readonly<Record<Installer, string | null>> = {
  uv: 'uv.lock',
  poetry: 'poetry.lock',
  pdm: 'pdm.lock',
  pipenv: 'Pipfile.lock',
  pip: null,
}

/**
 * The repository's own packages that a project's setup would ask a registry for: by pip, and by the other tools if
 * nothing is locked. In a workspace uv refuses names that it would have to ask for.
 */
export function siblingsAsked(project: PythonProject, by: Installer): AskedSiblings {
  const { folder } = project
  const isWorkspace = Object.keys(tableOf(project, 'tool', 'uv', 'workspace')).length > 0
  if (folder.has(LOCKS[by] ?? '') || (by === 'uv' && isWorkspace)) return none
  const { files, groups, extras, requirements } = testNeeds(project)
  const { requires, extras: declared, build } = packageOf(project)
  const asked: Asked[] = [
    ...requires,
    ...askedFor(build),
    ...extras.flatMap((name) => declared.get(sameName(name)) ?? []),
    ...askedFor(requirements),
    ...askedInFiles(folder, files),
    ...askedInGroups(project, groups),
    ...(by === 'pipenv' ? askedInPipfile(folder) : []),
    ...(by === 'poetry' ? askedInPoetry(project) : []),
  ]
  const own = siblingsOf(project, asked, by === 'uv')
  if (own.folders.length === 0) return none
  const builders = siblingsOf(project, askedFor([...build, ...own.build]), by === 'uv')
  return { ...own, builders: builders.editables }
}

function askedInPoetry(project: PythonProject): Asked[] {
  const groups = Object.values(tableOf(project, 'tool', 'poetry', 'group'))
  const tables = [
    tableOf(project, 'tool', 'poetry', 'dev-dependencies'),
    ...groups.map((one) => fieldsOf(fieldsOf(one)['dependencies'])),
  ]
  return tables.flatMap(askedInTable)
}
