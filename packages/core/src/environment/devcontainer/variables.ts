import { isObject } from '../../text/json-object.ts'
import { takesFromTheHost } from '../readers/devcontainer/devcontainer-refusals.ts'

const MOST_VARIABLES = 50
const LONGEST_VALUE = 1000

/** The folder of the repository's files in a container. */
const WORKSPACE = '/workspace'

/**
 * The variables that a devcontainer sets: texts, numbers and switches, without values that come from the host or that
 * only an editor knows.
 */
export function literalVariables(value: unknown): Record<string, string> {
  if (!isObject(value)) return {}
  const pairs = Object.entries(value).flatMap(([name, one]): [string, string][] => {
    if (!/^[A-Za-z_]\w{0,99}$/.test(name) || !['string', 'number', 'boolean'].includes(typeof one)) return []
    const text = String(one).replace(/\$\{(?:containerW|localW)orkspaceFolder\}/g, WORKSPACE)
    const known = text.replace(/\$\{containerEnv:([A-Za-z_]\w{0,99})\}/g, '')
    return takesFromTheHost(text) || known.includes('${') || text.length > LONGEST_VALUE || /\p{Cc}/u.test(text)
      ? []
      : [[name, text]]
  })
  return Object.fromEntries(pairs.slice(0, MOST_VARIABLES))
}

/** Variables as lines of a Dockerfile, which evaluates nothing in a value but variables that the image already has. */
export function envLines(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `ENV ${name}="${escaped(value)}"\n`)
    .join('')
}

/** A reference to a variable: `${PATH}` in a feature's manifest, `${containerEnv:PATH}` in a devcontainer. */
const KNOWN = /\$\{(?:containerEnv:)?([A-Za-z_]\w{0,99})\}/g

function escaped(value: string): string {
  let at = 0
  let text = ''
  for (const match of value.matchAll(KNOWN)) {
    text += quoted(value.slice(at, match.index)) + `\${${match[1]}}`
    at = match.index + match[0].length
  }
  return text + quoted(value.slice(at))
}

const quoted = (text: string): string => text.replace(/[\\"$]/g, (one) => `\\${one}`)
