import { fieldsOf, listOf, type Fields } from '../../formats/records.ts'
import { isObject } from '../../../text/json-object.ts'
import type { Place, Refusal } from '../../found.ts'

const LESS_CONFINED =
  'It would weaken the container, so it is left out. Work in a container of Beadloom needs no privileges.'
const OF_THE_HOST =
  "It would show the container a folder of the machine that Beadloom runs on. The repository's files are all it gets."

/** Keys that are always ignored, with the reason. Empty ones ask for nothing. */
const REFUSED: readonly [key: string, why: string][] = [
  [
    'initializeCommand',
    'It would run on the machine that Beadloom runs on, outside of every container, so it is not run.',
  ],
  ['privileged', LESS_CONFINED],
  ['capAdd', LESS_CONFINED],
  ['securityOpt', LESS_CONFINED],
  ['mounts', OF_THE_HOST],
  ['workspaceMount', OF_THE_HOST],
  [
    'runArgs',
    'These are arguments for the engine, which could undo every limit. What Beadloom allows has a key of its own in beadloom.json.',
  ],
]

/** Keys with variables of the container: their names do not matter, only values from the host. */
const VARIABLES = ['containerEnv', 'remoteEnv']

export function refusalsOf(json: Fields, placeOf: (...path: string[]) => Place): Refusal[] {
  return [
    ...REFUSED.filter(([key]) => asksFor(json[key])).map(([what, why]) => ({ what, why, from: placeOf(what) })),
    ...VARIABLES.flatMap((key) =>
      Object.entries(fieldsOf(json[key]))
        .filter(([, value]) => typeof value === 'string' && takesFromTheHost(value))
        .slice(0, MOST_VARIABLES)
        .map(([name]) => ({
          what: `${key}.${name}`,
          why: 'Its value comes from the environment of the machine that Beadloom runs on, which no container may see.',
          from: placeOf(key, name),
        })),
    ),
    ...(takesInArguments(json)
      ? [
          {
            what: 'build.args',
            why: 'Its values come from the environment of the machine that Beadloom runs on, which no image may see.',
            from: placeOf('build', 'args'),
          },
        ]
      : []),
  ]
}

const MOST_VARIABLES = 20

/** `${env:…}` is the older name of `${localEnv:…}`. */
export const takesFromTheHost = (text: string): boolean => /\$\{\s*(?:localEnv|env)\s*:/i.test(text)

const takesInArguments = (json: Fields): boolean =>
  Object.values(fieldsOf(fieldsOf(json['build'])['args'])).some(
    (value) => typeof value === 'string' && takesFromTheHost(value),
  )

const asksFor = (value: unknown): boolean =>
  value !== undefined &&
  value !== null &&
  value !== false &&
  value !== '' &&
  !(Array.isArray(value) && listOf(value).length === 0) &&
  !(isObject(value) && Object.keys(value).length === 0)
