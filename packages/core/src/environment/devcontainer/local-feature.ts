import { place } from '../claims.ts'
import { jsonLine, readJson } from '../formats/json-text.ts'
import { isObject } from '../../text/json-object.ts'
import { fieldsOf } from '../formats/records.ts'
import type { Feature, Place, Refusal } from '../found.ts'
import type { Folder } from '../files/repository-files.ts'
import { pathFrom } from '../files/repository-path.ts'
import { literalVariables } from './variables.ts'

const MANIFEST = 'devcontainer-feature.json'

/** Settings that no feature may demand of a container, no matter who wrote it. */
const WEAKER = ['privileged', 'capAdd', 'securityOpt', 'mounts', 'entrypoint'] as const

const OPTIONS = 50

/**
 * A feature in a folder beside the devcontainer. `root` is the repository's folder, `around` the devcontainer's. Root
 * runs its program while the image is built, as with a Dockerfile; nothing of it runs on the host.
 */
export function localFeature(
  root: Folder,
  around: string,
  id: string,
  options: unknown,
  from: Place,
  refused: Refusal[],
): Feature | null {
  const folder = pathFrom(around, id)
  if (folder === null || !root.has(`${folder}/install.sh`)) {
    const why =
      folder === null
        ? 'It leads out of the repository, where Beadloom reads nothing.'
        : `There is no ${folder}/install.sh in the repository, so there is nothing to install.`
    refused.push({ what: `features.${id}`, why, from })
    return null
  }
  const file = `${folder}/${MANIFEST}`
  const text = root.has(file) ? root.text(file) : null
  const manifest = fieldsOf(text === null ? null : readJson(text))
  for (const key of WEAKER.filter((one) => isAsked(manifest[one])))
    refused.push({
      what: `${id}: ${key}`,
      why: 'It would weaken the container, show it the machine or run something beside the agent, so it is left out.',
      from: place(root, file, text === null ? null : jsonLine(text, [key])),
    })
  return {
    id,
    from,
    is: 'local',
    folder,
    variables: variablesOf(fieldsOf(manifest['options']), options),
    env: ownEnv(manifest['containerEnv']),
  }
}

const isAsked = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  value !== false &&
  value !== '' &&
  !(Array.isArray(value) && value.length === 0)

/** The variable's name by the specification: in capitals, with underscores for all but letters and digits. */
const variableOf = (option: string): string =>
  option
    .replace(/[^\w_]/g, '_')
    .replace(/^[\d_]+/, '_')
    .toUpperCase()

/** The manifest's defaults, overridden by the devcontainer's choices. A plain text is its version. */
function variablesOf(known: Record<string, unknown>, options: unknown): Record<string, string> {
  const chosen = isObject(options) ? options : typeof options === 'string' ? { version: options } : {}
  const defaults = Object.entries(known).map(([name, option]) => [name, fieldsOf(option)['default']])
  const all = { ...Object.fromEntries(defaults), ...chosen }
  const named = Object.entries(all).slice(0, OPTIONS)
  return literalVariables(Object.fromEntries(named.map(([name, value]) => [variableOf(name), value])))
}

/** In these, `${PATH}` is the image's own. */
const ownEnv = (value: unknown): Record<string, string> =>
  literalVariables(
    isObject(value)
      ? Object.fromEntries(
          Object.entries(value).map(([name, text]) => [
            name,
            typeof text === 'string' ? text.replace(/\$\{([A-Za-z_]\w{0,99})\}/g, '${containerEnv:$1}') : text,
          ]),
        )
      : null,
  )
