import { fieldsOf, listOf, textOf } from '../formats/records.ts'
import { isObject } from '../../text/json-object.ts'
import { readJson } from '../formats/json-text.ts'

/** `installs` is false if there is nothing to fetch or run, so that the image needs no setup. */
export type Manifest = {
  readable: boolean
  /** Scripts that are not empty, without the placeholder of `npm init`. */
  scripts: ReadonlyMap<string, string>
  dependencies: string[]
  installs: boolean
  /** Folders of its workspaces, as patterns. */
  workspaces: string[]
  /** From `packageManager`, as `name@version`, or from `devEngines`; `key`: the place in the manifest. */
  packageManager: { name: ManagerName; version: string; key: readonly string[] } | null
  engines: ReadonlyMap<string, string>
  /** From `devEngines`, which is for the project's own developers; `engines` is for the users of the package. */
  runtimes: ReadonlyMap<string, string>
}

/** npm reports a manifest that cannot be read, so that its message is in the setup's output. */
export function readManifest(text: string | null): Manifest {
  const json = text === null ? null : readJson(text)
  if (!isObject(json))
    return {
      readable: false,
      scripts: new Map(),
      dependencies: [],
      installs: true,
      workspaces: [],
      packageManager: null,
      engines: new Map(),
      runtimes: new Map(),
    }
  const scripts = textsOf(json['scripts'])
  const dependencies = ['dependencies', 'devDependencies', 'optionalDependencies'].flatMap((key) =>
    Object.keys(fieldsOf(json[key])),
  )
  const { workspaces } = json
  return {
    readable: true,
    scripts: new Map([...scripts].filter(([key, script]) => !(key === 'test' && isPlaceholder(script)))),
    dependencies,
    installs:
      dependencies.length > 0 ||
      'workspaces' in json ||
      ['install', 'postinstall', 'prepare'].some((key) => key in fieldsOf(json['scripts'])),
    workspaces: listOf(Array.isArray(workspaces) ? workspaces : fieldsOf(workspaces)['packages'])
      .map(textOf)
      .filter((one) => one !== null),
    packageManager: managerOf(json),
    engines: new Map([...textsOf(json['engines'])].filter(([, version]) => isVersion(version))),
    runtimes: new Map(developersUse(json, 'runtime').filter(([, version]) => isVersion(version))),
  }
}

function managerOf(json: Record<string, unknown>): Manifest['packageManager'] {
  const [, name, version] = /^(npm|pnpm|yarn|bun)@([\w.-]{1,40})/.exec(textOf(json['packageManager']) ?? '') ?? []
  if (isManager(name) && version !== undefined) return { name, version, key: ['packageManager'] }
  for (const [own, range] of developersUse(json, 'packageManager')) {
    // A range only chooses the series that is installed.
    const series = /\d{1,3}/.exec(range)?.[0]
    if (isManager(own) && series !== undefined)
      return { name: own, version: series, key: ['devEngines', 'packageManager'] }
  }
  return null
}

const MOST_ENGINES = 10

/** `devEngines` names one or several of a kind, with their versions; '' means no version. */
function developersUse(json: Record<string, unknown>, kind: 'runtime' | 'packageManager'): [string, string][] {
  const said = fieldsOf(json['devEngines'])[kind]
  return (Array.isArray(said) ? listOf(said) : [said]).slice(0, MOST_ENGINES).flatMap((one): [string, string][] => {
    const name = textOf(fieldsOf(one)['name'])
    return name === null ? [] : [[name, textOf(fieldsOf(one)['version']) ?? '']]
  })
}

const textsOf = (value: unknown): Map<string, string> =>
  new Map(
    Object.entries(fieldsOf(value)).flatMap(([key, one]): [string, string][] => {
      const text = textOf(one)
      return text === null ? [] : [[key, text]]
    }),
  )

/** "please use pnpm" is no version. */
const isVersion = (text: string): boolean =>
  /\d|^(?:\*|x|latest|lts)/i.test(text.trim()) && !/[a-z]{3,} [a-z]{2,}/i.test(text)

/** The placeholder that `npm init` writes. */
const isPlaceholder = (test: string): boolean => test.includes('no test specified')

export const managerNames = ['npm', 'pnpm', 'yarn', 'bun'] as const
export type ManagerName = (typeof managerNames)[number]

const isManager = (name: string | undefined): name is ManagerName => managerNames.some((known) => known === name)
