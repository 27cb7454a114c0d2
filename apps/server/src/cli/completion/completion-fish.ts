import { groups, quoted, type Node, type Place } from './completion-nodes.ts'

export function fishScript(nodes: readonly Node[]): string {
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
      ...node.places.flatMap((place) => argumentsOf(place).map((given) => `${when} -f -a ${given}`)),
      ...(node.path !== '' && !node.places.includes('file') && node.words.length === 0 ? [`${when} -f`] : []),
      ...node.options.map(({ flags, summary, value }) => {
        const names = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`))
        const wanted =
          value === null
            ? ''
            : value === 'file'
              ? ' -r -F'
              : ` -x${argumentsOf(value)
                  .map((one) => ` -a ${one}`)
                  .join('')}`
        return `${when} ${names.join(' ')}${wanted} -d ${quoted(summary)}`
      }),
    ]
  })
  return `# fish completion of beadloom. Load it: beadloom completion fish | source
function __beadloom_ids
  set -l words (commandline -opc)
  set -l given
  set -l flag
  for word in $words[2..-1]
    if test -n "$flag"
      set -a given $flag $word
      set flag
      continue
    end
    switch $word
      case --data -p --project
        set flag $word
      case '--data=*' '--project=*'
        set -a given $word
    end
  end
  $words[1] ids $argv $given 2>/dev/null
end
${lines.join('\n')}
`
}

function argumentsOf(place: Place): string[] {
  if (place === 'file' || place === 'text') return []
  return [quoted('ids' in place ? `(__beadloom_ids ${place.ids.join(' ')})` : place.choices.join(' '))]
}
