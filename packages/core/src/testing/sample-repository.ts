import type { Found, Place } from '../environment/found.ts'
import type { RepositoryFiles } from '../environment/files/repository-files.ts'
import { headedFiles, headOf, wantedFiles } from '../environment/files/wanted-files.ts'

/** A repository as the server reads it: only wanted files have a text. */
export function filesOf(files: Readonly<Record<string, string>>): RepositoryFiles {
  const paths = Object.keys(files)
  const whole = wantedFiles(paths).map((path) => [path, files[path] ?? ''] as const)
  const heads = headedFiles(paths).map((path) => [path, headOf(files[path] ?? '')] as const)
  return { paths, texts: new Map([...whole, ...heads]) }
}

const at = ({ file, line }: Place): string => (line === null ? file : `${file}:${line}`)

/** `go 1.21+ (go.mod:3)`: the version that counts, `+` if it is only the oldest, and the place that says it. */
export const toolLines = ({ tools }: Pick<Found, 'tools'>): string[] =>
  tools.map(({ tool, version, least, from }) => `${tool} ${version ?? 'any'}${least ? '+' : ''} (${at(from)})`)

/** `test: npm test in web (said, web/package.json:3)`. */
export const commandLines = ({ commands }: Pick<Found, 'commands'>): string[] =>
  commands.map(({ purpose, command, folder, from, confidence }) =>
    [`${purpose}: ${command}`, folder && `in ${folder}`, `(${confidence}, ${at(from)})`].filter(Boolean).join(' '),
  )
