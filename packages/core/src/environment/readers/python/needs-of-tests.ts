import { iniLines } from '../../formats/ini-text.ts'
import { fieldsOf, listOf, textOf } from '../../formats/records.ts'
import { isObject } from '../../../text/json-object.ts'
import {
  literalList,
  needsOfNox,
  needsOfPytest,
  needsOfTox,
  needsOfWords,
  nothing,
  together,
  type Needs,
} from './needs.ts'
import { askedInPipfile } from './own-packages.ts'
import { pytestSettings } from './pytest-settings.ts'
import { tableOf, type PythonProject } from './python-project.ts'
import { requirementFiles } from './requirement-files.ts'
import { forTests, nameIn, requirementOf, sameName, wordsOf } from './requirement.ts'

/**
 * The needs of the tests of a project without a lock file. Projects name them in many places: extras and groups of
 * their own, files with requirements, and the installations of tox, nox and Hatch.
 */
export function testNeeds(project: PythonProject): Needs {
  const extras = extrasOf(project)
  const groups = groupsOf(project)
  const { base, tests } = requirementFiles(project.files)
  const all = together([
    { ...nothing, extras: forTests(extras), groups: forTests(groups), files: [...base, ...tests] },
    needsOfTox(project.tox),
    toxTables(project),
    needsOfNox(project.noxfile),
    hatchNeeds(project),
    pdmNeeds(project),
    needsOfWords([
      ...literalList(project.setupPy, /\btests?_require(?:s|ments)?\s{0,5}=\s{0,5}[[(]/),
      ...iniLines(project.setupCfg, 'options', 'tests_require'),
    ]),
    needsOfPytest(...pytestSettings(project)),
  ])
  const isThere = (file: string) => /^[\w./-]{1,150}$/.test(file) && project.files.includes(file)
  return {
    // pip warns about an undeclared extra, and fails for an unknown group.
    extras: all.extras.filter((name) => extras.map(sameName).includes(sameName(name))),
    groups: all.groups.filter((name) => groups.map(sameName).includes(sameName(name))),
    files: all.files.filter(isThere),
    constraints: all.constraints.filter(isThere),
    requirements: all.requirements.filter((one) => nameIn(one) !== project.name),
  }
}

/** The names of extras that the project declares, wherever it does. */
function extrasOf(project: PythonProject): string[] {
  const declared = [
    ...Object.keys(tableOf(project, 'project', 'optional-dependencies')),
    ...Object.keys(tableOf(project, 'tool', 'setuptools', 'dynamic', 'optional-dependencies')),
    ...Object.keys(tableOf(project, 'tool', 'flit', 'metadata', 'requires-extra')),
    ...(project.setupCfg.get('options.extras_require')?.values.keys() ?? []),
  ]
  const at = project.setupPy.search(/extras?_require/)
  const keys = at === -1 ? [] : [...project.setupPy.matchAll(/["']([\w.-]{1,60})["']\s{0,5}(?::|\]\s{0,5}=)/g)]
  return wordsOf([...declared, ...forTests(keys.map(([, name = '']) => name))])
}

/** The names in `[dependency-groups]`. */
export const groupsOf = (project: PythonProject): string[] =>
  wordsOf(Object.keys(tableOf(project, 'dependency-groups')))

function toxTables(project: PythonProject): Needs {
  const base = fieldsOf(project.toxTables['env_run_base'])
  const words = (key: string) => listOf(base[key]).flatMap((one) => textOf(one) ?? [])
  return together([
    needsOfWords(words('deps')),
    { ...nothing, extras: wordsOf(words('extras')), groups: wordsOf(words('dependency_groups')) },
  ])
}

/** `hatch test` brings pytest and its usual plugins; tests use this one. */
const OF_HATCH_TEST = 'pytest-mock'
const HATCH_ENVIRONMENTS = ['hatch-test', 'test', 'tests', 'testing', 'default', 'dev']

function hatchNeeds({ hatch }: PythonProject): Needs {
  return together(
    HATCH_ENVIRONMENTS.filter((name) => isObject(hatch[name])).map((name) => {
      const environment = fieldsOf(hatch[name])
      const words = (key: string) => listOf(environment[key]).flatMap((one) => textOf(one) ?? [])
      return together([
        needsOfWords([...words('dependencies'), ...words('extra-dependencies')]),
        { ...nothing, extras: wordsOf(words('features')), groups: wordsOf(words('dependency-groups')) },
        ...(name === 'hatch-test' ? [{ ...nothing, requirements: [OF_HATCH_TEST] }] : []),
      ])
    }),
  )
}

/**
 * The requirements in Poetry's groups for tests, without versions: only Poetry reads them. Packages from other places
 * than PyPI are left out, so that PyPI is not asked for a name that it is not meant to have.
 */
export function poetryNeeds(project: PythonProject): Needs {
  const groups = tableOf(project, 'tool', 'poetry', 'group')
  const wanted = [
    tableOf(project, 'tool', 'poetry', 'dev-dependencies'),
    ...forTests(Object.keys(groups)).map((name) => fieldsOf(fieldsOf(groups[name])['dependencies'])),
  ]
  const isThere = (value: unknown) =>
    typeof value === 'string' || /^version(?:,|$)/.test(Object.keys(fieldsOf(value)).join())
  const names = wanted.flatMap((table) => Object.keys(table).filter((name) => isThere(table[name])))
  return { ...nothing, requirements: names.filter((name) => requirementOf(name) !== null) }
}

/** The same for a Pipfile. */
export function pipfileNeeds({ folder }: PythonProject): Needs {
  const names = askedInPipfile(folder).flatMap(({ name, by }) => (by === 'name' ? [name] : []))
  return { ...nothing, requirements: names.filter((name) => requirementOf(name) !== null) }
}

/** PDM's own groups, from before there was a standard. */
function pdmNeeds(project: PythonProject): Needs {
  const groups = tableOf(project, 'tool', 'pdm', 'dev-dependencies')
  return needsOfWords(
    forTests(Object.keys(groups)).flatMap((name) => listOf(groups[name]).flatMap((one) => textOf(one) ?? [])),
  )
}
