import { codeUnits } from './code-lines.ts'
import { bare, commandsIn, type Command } from './shell-lines.ts'
import { strengthOf, strongest } from './shell-words.ts'
import type { Failing, Part, Strength, Unit } from './units.ts'

export function failingOf({ path, language, lines, isDone }: Part): Failing {
  if (language === 'code') return { units: codeUnits(path, lines.join('\n')), stops: false, decides: true }
  if (language === 'make') {
    const each = lines.map((line) => shellUnits(line, isDone))
    return { units: each.flatMap(({ units }) => units), stops: false, decides: true }
  }
  return shellUnits(lines.join('\n'), isDone)
}

const STOPS = /^set\s.*?(?:-\w*e|errexit)/
const STOPS_AT_START = /^#!\S+(?:\s+\S+)*?\s+-\w*e/

/** @param isDone whether a command's file is read itself, so the command counts by what is in it */
export function shellUnits(script: string, isDone: (words: string) => boolean): Failing {
  const commands = commandsIn(script)
  const own = failingFunctions(script)
  const unheard = uncalled(script)
  const pipes = /pipefail/.test(script)
  const units: Unit[] = []
  const blocks: { end: string; dead: boolean }[] = []
  let condition = ''
  let decides = false
  let body: string | null = null
  for (const chain of chainsOf(commands)) {
    const [first] = chain
    const words = first?.words ?? ''
    const opened = /^(?:function\s+)?([\w-]{1,80})\s?\(\)/.exec(words)?.[1]
    if (opened !== undefined && chain.at(-1)?.words.endsWith('}') !== true) body = opened
    if (/^(?:fi|done|esac)\b/.test(words)) blocks.pop()
    if (words.startsWith('}') && body !== null) body = null
    const block = /^(?:(?:then|else|do)\s)?(if|while|until|for|case)\s/.exec(words)?.[1]
    const isCondition = /^(?:(?:then|else|do)\s)?(?:if|elif|while|until)\s/.test(words)
    if (isCondition || (chain.at(-1)?.words.startsWith('{') ?? false))
      condition = chain.map((one) => one.words).join(' ')
    if (block !== undefined) blocks.push({ end: block, dead: isNever(words, own) })
    const isDead = blocks.some(({ dead }) => dead) || unheard.has(opened ?? body ?? '')
    const isAlone = chain.length === 1 && blocks.length === 0 && body === null && opened === undefined
    const found = isCondition || isDead ? [] : unitsOf(chain, { own, pipes, isDone })
    for (const unit of found)
      units.push(
        unit.strength === 'fails' && chain.length === 1 ? { ...unit, text: `${condition} ${unit.text}` } : unit,
      )
    if (!/^(?:fi|done|esac|\}|then|else|do)$/.test(words)) decides = found.length > 0 || /^exit$|\$\?/.test(words)
    if (isAlone && /^(?:exit\b|exec\s)/.test(words)) break
  }
  const stops = STOPS_AT_START.test(script.slice(0, 200)) || commands.some(({ words }) => STOPS.test(words))
  return { units, stops, decides }
}

/** Commands that are joined by operators. */
function chainsOf(commands: readonly Command[]): Command[][] {
  const chains: Command[][] = []
  let chain: Command[] = []
  for (const command of commands) {
    chain.push(command)
    if (command.end !== '\n' && command.end !== ';' && command.end !== '&') continue
    chains.push(chain)
    chain = []
  }
  if (chain.length > 0) chains.push(chain)
  return chains
}

type How = { own: ReadonlySet<string>; pipes: boolean; isDone: (words: string) => boolean }

function unitsOf(chain: readonly Command[], { own, pipes, isDone }: How): Unit[] {
  // In the background nobody hears of its failure.
  if (chain.at(-1)?.end === '&') return []
  const steps: { text: string; strength: Strength; or: boolean }[] = []
  let or = false
  let pipeline: string[] = []
  for (const { words, end } of chain) {
    pipeline.push(words)
    if (end === '|') continue
    const last = pipeline.slice(-1)
    const strength = strongest((pipes ? pipeline : last).map((one) => (isDone(one) ? 'none' : strengthOf(one, own))))
    steps.push({ text: pipeline.map(bare).join(' | '), strength, or })
    or ||= end === '||'
    pipeline = []
  }
  const others = steps.filter((step) => step.or)
  if (others.length === 0)
    return steps.flatMap(({ text, strength }) => (strength === 'none' ? [] : [{ text, strength }]))
  const own2 = strongest(others.map(({ strength }) => strength))
  if (own2 === 'none') return []
  const before = steps.filter((step) => !step.or)
  const asked = strongest(before.map(({ strength }) => strength))
  const strength = own2 === 'fails' && asked !== 'none' ? strongest([asked, 'check']) : own2
  // A condition that cannot change never comes to what follows it.
  if (asked === 'none' && before.some(({ text }) => /^(?:\[|test\s|true$|:$)/.test(text))) return []
  return strength === 'none' ? [] : [{ text: steps.map((step) => step.text).join(' || '), strength }]
}

/** A condition without anything that changes: nothing, or always the same, follows. */
function isNever(words: string, own: ReadonlySet<string>): boolean {
  const asked = /^(?:(?:then|else|do)\s)?(?:if|while)\s(?:!\s)?(.+)$/.exec(words)?.[1]
  return (
    asked !== undefined &&
    (/^(?:false|true|:)$/.test(asked) || (/^(?:\[|test\s)/.test(asked) && strengthOf(asked, own) === 'none'))
  )
}

const FUNCTION = /^[ \t]*(?:function[ \t]+)?([\w-]{1,80})[ \t]*\(\)[ \t]*\{?(.*)$/gm

/** Names of a script's functions in which something fails. */
function failingFunctions(script: string): Set<string> {
  const names = new Set<string>()
  for (const found of script.matchAll(FUNCTION)) {
    const rest = script.slice(found.index, found.index + 4000)
    const end = found[2]?.includes('}') === true ? rest.indexOf('\n') : rest.search(/\n\s*\}/)
    const text = rest.slice(found[0].indexOf('{') + 1 || 0, end === -1 ? undefined : end)
    const commands = commandsIn(text).map(({ words }) => strengthOf(words.replace(/^(?:if|elif)\s/, ''), new Set()))
    if (['fails', 'exact', 'check'].includes(strongest(commands))) names.add(found[1] ?? '')
    if (names.size > 100) break
  }
  return names
}

/** Names of functions that nothing calls; none if the script asks its shell for their names. */
function uncalled(script: string): Set<string> {
  if (/\b(?:declare|typeset) -\w*[fF]|\bcompgen -A function/.test(script)) return new Set()
  const counts = new Map<string, number>()
  for (const [word] of script.matchAll(/[\w-]+/g)) counts.set(word, (counts.get(word) ?? 0) + 1)
  return new Set(
    Array.from(script.matchAll(FUNCTION), ([, name = '']) => name).filter((name) => (counts.get(name) ?? 0) < 2),
  )
}
