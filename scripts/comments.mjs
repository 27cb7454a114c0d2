// Comments that begin with a clause in place of a subject: "What the agent said", "Of a runner that …", "One that waits".
// A reader has to read them twice. CONTRIBUTING.md says how a comment begins instead.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { main, root, say, Stop } from './run.mjs'

const FOLDERS = ['apps', 'packages', 'scripts', 'test']
const NOT_OURS = /^(?:node_modules|dist|fixtures|samples|migrations)$/
const SOURCE = /\.(?:tsx?|mjs)$/
const FORBIDDEN = /^(?:What (?!.*\?$)|Of |One (?:that|which|who|whose) |Those (?:that|which|who) |Whoever )/

await main(async () => {
  const files = FOLDERS.flatMap((folder) => [...filesIn(folder)])
  const found = files.flatMap((file) =>
    beginningsOf(readFileSync(join(root, file), 'utf8'))
      .filter(({ text }) => FORBIDDEN.test(text))
      .map(({ line, text }) => `${file}:${line} ${text.slice(0, 100)}`),
  )
  if (found.length === 0) return
  for (const one of found.slice(0, 50)) say(one)
  throw new Stop(
    `${found.length} comments begin with What, Of, One that, Those that or Whoever. Begin with the actor or the thing: "The agent's words", not "What the agent said".`,
  )
})

function* filesIn(folder) {
  for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory() && !NOT_OURS.test(entry.name)) yield* filesIn(path)
    else if (entry.isFile() && SOURCE.test(entry.name)) yield path
  }
}

/** The first line of each comment, with the number of its line. */
function beginningsOf(source) {
  let isInside = false
  const lines = source.split('\n')
  return lines.flatMap((line, at) => {
    const text = line.trim()
    const [, opened] = /^\/\*+\s*(.*?)\s*(?:\*\/)?$/.exec(text) ?? []
    if (opened !== undefined) {
      isInside = opened === ''
      return opened === '' ? [] : [{ line: at + 1, text: opened }]
    }
    if (isInside) {
      isInside = false
      return [{ line: at + 1, text: text.replace(/^\*\s*/, '') }]
    }
    const isGoingOn = /^\s*\/\//.test(lines[at - 1] ?? '')
    const [, said] = /^\/\/ (.*)$/.exec(text) ?? /\S.* \/\/ ([^'"`]*)$/.exec(text) ?? []
    return said === undefined || (isGoingOn && text.startsWith('//')) ? [] : [{ line: at + 1, text: said }]
  })
}
