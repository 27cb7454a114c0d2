import { isObject } from '../../text/json-object.ts'
import { takesFromTheHost } from '../readers/devcontainer/devcontainer-refusals.ts'

const MOST_VARIABLES = 50
const LONGEST_VALUE = 1000

/** Where the repository's files are in a container. */
const WORKSPACE = '/workspace'

/**
 * Variables as a devcontainer writes them: texts, numbers and switches. Those with a value from the host are left out, and so
 * is what only an editor could know.
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

/** The same as lines of a Dockerfile: nothing in a value is evaluated but a variable that the image has already. */
export function envLines(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `ENV ${name}="${escaped(value)}"\n`)
    .join('')
}

/** What a feature's manifest writes as `${PATH}`, and a devcontainer as `${containerEnv:PATH}`. */
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
