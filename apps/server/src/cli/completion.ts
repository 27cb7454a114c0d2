import type { Command, Option } from 'commander'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** One command with what may follow it, taken from the commands themselves so that nothing is missing or stale. */
export type Node = {
  /** "beads show"; empty for the program. */
  path: string
  summary: string
  words: { name: string; summary: string }[]
  options: OptionWords[]
  /** Whether its first argument is one of these words, or a file. */
  choices: readonly string[]
  takesFile: boolean
}

type OptionWords = { flags: string[]; summary: string; value: 'none' | 'file' | 'text'; choices: readonly string[] }

const FILE_VALUES = new Set(['folder', 'file'])
const FILE_ARGUMENTS = new Set(['file', 'source', 'paths'])

function nodesOf(program: Command): Node[] {
  const walk = (command: Command, path: string): Node[] => [
    nodeOf(command, path),
    ...command.commands.flatMap((child) => walk(child, `${path} ${child.name()}`.trim())),
  ]
  return walk(program, '')
}

function nodeOf(command: Command, path: string): Node {
  const [argument] = command.registeredArguments
  return {
    path,
    summary: command.summary() || command.description(),
    words: command.commands.map((child) => ({ name: child.name(), summary: child.summary() || child.description() })),
    options: [
      ...command.options.map(optionWords),
      { flags: ['-h', '--help'], summary: 'show this page', value: 'none', choices: [] },
    ],
    choices: argument?.argChoices ?? [],
    takesFile: command.registeredArguments.some((one) => FILE_ARGUMENTS.has(one.name())),
  }
}

function optionWords({ short, long, description, required, optional, flags, argChoices }: Option): OptionWords {
  const value = /[<[]([\w-]+)/.exec(flags)?.[1] ?? ''
  return {
    flags: [short, long].filter((flag) => flag !== undefined && flag !== null),
    summary: description,
    value: required || optional ? (FILE_VALUES.has(value) ? 'file' : 'text') : 'none',
    choices: argChoices ?? [],
  }
}

export function completionScript(program: Command, shell: Shell): string {
  const nodes = nodesOf(program)
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](nodes)
}

/** Within single quotes of a shell: the texts are ours, but an apostrophe is one all the same. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

/** Names of commands that have commands below them. */
const groups = (nodes: readonly Node[]): string[] =>
  nodes.filter(({ path, words }) => path !== '' && words.length > 0).map(({ path }) => path)

const flagsOf = (node: Node): string[] => node.options.flatMap(({ flags }) => flags)

/** Flags with a value, by what may stand there. */
const withValue = (nodes: readonly Node[], which: (option: OptionWords) => boolean): string[] =>
  [...new Set(nodes.flatMap(({ options }) => options.filter(which).flatMap(({ flags }) => flags)))].toSorted()

function bashScript(nodes: readonly Node[]): string {
  const files = withValue(nodes, ({ value }) => value === 'file')
  const texts = withValue(nodes, ({ value, choices }) => value === 'text' && choices.length === 0)
  const valued = withValue(nodes, ({ value }) => value !== 'none')
  const cases = nodes.map((node) => {
    const words = [...node.words.map(({ name }) => name), ...node.choices, ...flagsOf(node)]
    const choices = node.options
      .filter((option) => option.choices.length > 0)
      .map((option) => `        ${option.flags.join('|')}) words=${quoted(option.choices.join(' '))} ;;`)
    return [
      `    ${quoted(node.path)})`,
      `      words=${quoted(words.join(' '))}`,
      ...(node.takesFile ? ['      files=yes'] : []),
      ...(choices.length > 0 ? ['      case "$prev" in', ...choices, '      esac'] : []),
      '      ;;',
    ].join('\n')
  })
  return `# bash completion of beadloom. Load it: source <(beadloom completion bash)
_beadloom() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}" path='' words='' files='' at word
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    case "$word" in
      ${valued.join('|')}) at=$((at + 1)); continue ;;
      -*) continue ;;
    esac
    case "$path" in
      '') path="$word" ;;
      ${groups(nodes).map(quoted).join('|')}) path="$path $word"; break ;;
      *) break ;;
    esac
  done
  case "$prev" in
    ${files.join('|')}) COMPREPLY=($(compgen -f -- "$cur")); compopt -o filenames 2>/dev/null; return ;;
    ${texts.join('|')}) COMPREPLY=(); return ;;
  esac
  case "$path" in
${cases.join('\n')}
  esac
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  if [ -n "$files" ] && [ "\${cur#-}" = "$cur" ]; then
    COMPREPLY+=($(compgen -f -- "$cur"))
    compopt -o filenames 2>/dev/null
  fi
}
complete -F _beadloom beadloom
`
}

function zshScript(nodes: readonly Node[]): string {
  const described = (name: string, summary: string): string => quoted(`${name.replaceAll(':', '\\:')}:${summary}`)
  const cases = nodes.map((node) => {
    const words = [
      ...node.words.map(({ name, summary }) => described(name, summary)),
      ...node.choices.map((choice) => described(choice, '')),
      ...node.options.flatMap(({ flags, summary }) => flags.map((flag) => described(flag, summary))),
    ]
    const choices = node.options
      .filter((option) => option.choices.length > 0)
      .map((option) => `        ${option.flags.join('|')}) choices=(${option.choices.map(quoted).join(' ')}) ;;`)
    return [
      `    ${quoted(node.path)})`,
      `      choices=(${words.join(' ')})`,
      ...(node.takesFile ? ['      files=yes'] : []),
      ...(choices.length > 0 ? ['      case $prev in', ...choices, '      esac'] : []),
      '      ;;',
    ].join('\n')
  })
  return `#compdef beadloom
# zsh completion of beadloom. Load it: source <(beadloom completion zsh), after compinit
_beadloom() {
  local prev="\${words[CURRENT-1]}" path_='' files='' skip='' word
  local -a given
  given=("\${(@)words[2,CURRENT-1]}")
  for word in $given; do
    if [[ -n $skip ]]; then
      skip=''
      continue
    fi
    case $word in
      ${withValue(nodes, ({ value }) => value !== 'none').join('|')}) skip=yes; continue ;;
      -*) continue ;;
    esac
    case $path_ in
      '') path_=$word ;;
      ${groups(nodes).map(quoted).join('|')}) path_="$path_ $word"; break ;;
      *) break ;;
    esac
  done
  case $prev in
    ${withValue(nodes, ({ value }) => value === 'file').join('|')}) _files; return ;;
    ${withValue(nodes, ({ value, choices }) => value === 'text' && choices.length === 0).join('|')}) return ;;
  esac
  local -a choices
  case $path_ in
${cases.join('\n')}
  esac
  _describe 'beadloom' choices
  [[ -n $files ]] && _files
}
compdef _beadloom beadloom
`
}

function fishScript(nodes: readonly Node[]): string {
  const inGroups = groups(nodes)
  const condition = (path: string): string => {
    const [first = '', second] = path.split(' ')
    if (first === '') return '__fish_use_subcommand'
    const below = nodes.find((node) => node.path === first)?.words.map(({ name }) => name) ?? []
    if (second !== undefined) return `__fish_seen_subcommand_from ${first}; and __fish_seen_subcommand_from ${second}`
    return inGroups.includes(first)
      ? `__fish_seen_subcommand_from ${first}; and not __fish_seen_subcommand_from ${below.join(' ')}`
      : `__fish_seen_subcommand_from ${first}`
  }
  const lines = nodes.flatMap((node) => {
    const when = `complete -c beadloom -n ${quoted(condition(node.path))}`
    return [
      ...node.words.map(({ name, summary }) => `${when} -f -a ${name} -d ${quoted(summary)}`),
      ...node.choices.map((choice) => `${when} -f -a ${choice}`),
      ...(node.path !== '' && !node.takesFile && node.words.length === 0 ? [`${when} -f`] : []),
      ...node.options.map(({ flags, summary, value, choices }) => {
        const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`))
        const argument = {
          none: '',
          file: ' -r -F',
          text: ` -x${choices.length > 0 ? ` -a ${quoted(choices.join(' '))}` : ''}`,
        }
        return `${when} ${names.join(' ')}${argument[value]} -d ${quoted(summary)}`
      }),
    ]
  })
  return `# fish completion of beadloom. Load it: beadloom completion fish | source\n${lines.join('\n')}\n`
}
