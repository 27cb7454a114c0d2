import { flagsByPlace, flagsWithValue, groups, quoted, type Node, type Place } from './completion-nodes.ts'

/** Sets the offers for a place; each script reads `words`, `ids` and `files`. */
export function assignment(place: Place): string {
  if (place === 'file') return 'files=yes'
  if (place === 'text') return ':'
  return 'ids' in place ? `ids='${place.ids.join(' ')}'` : `words=${quoted(place.choices.join(' '))}`
}

/** The places of a command by the number of arguments before the cursor, as a `case` of bash and zsh. */
export function placeCases({ places, repeats }: Node): string[] {
  const last = places.length - 1
  return places.map((place, at) => `${at === last && repeats ? '*' : at}) ${assignment(place)} ;;`)
}

export function bashScript(nodes: readonly Node[]): string {
  const cases = nodes.map((node) => {
    const flags = node.options.flatMap((option) => option.flags)
    return [
      `    ${quoted(node.path)})`,
      `      flags=${quoted(flags.join(' '))}`,
      ...(node.words.length > 0 ? [`      words=${quoted(node.words.map(({ name }) => name).join(' '))}`] : []),
      ...(node.places.length > 0
        ? ['      case $nth in', ...placeCases(node).map((one) => `        ${one}`), '      esac']
        : []),
      '      ;;',
    ].join('\n')
  })
  const values = flagsByPlace(nodes).map(
    ([flags, place]) => `    ${flags.join('|')}) value=yes; ${assignment(place)} ;;`,
  )
  return `# bash completion of beadloom. Load it: source <(beadloom completion bash)
_beadloom() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"
  local path='' nth=0 done='' flags='' words='' ids='' files='' value='' at word
  local -a given=()
  [ "$cur" = '=' ] && cur=''
  [ "$prev" = '=' ] && prev="\${COMP_WORDS[COMP_CWORD-2]}"
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    case "$word" in
      ${flagsWithValue(nodes).join('|')})
        [ "\${COMP_WORDS[at+1]}" = '=' ] && at=$((at + 1))
        at=$((at + 1))
        case "$word" in --data|-p|--project) ((at < COMP_CWORD)) && given+=("$word" "\${COMP_WORDS[at]}") ;; esac
        continue ;;
      -*) continue ;;
    esac
    if [ -n "$done" ]; then nth=$((nth + 1)); continue; fi
    case "$path" in
      '') path="$word" ;;
      *) path="$path $word" ;;
    esac
    case "$path" in ${groups(nodes).map(quoted).join('|')}) ;; *) done=yes ;; esac
  done
  case "$prev" in
${values.join('\n')}
  esac
  if [ -z "$value" ]; then
    case "$path" in
${cases.join('\n')}
    esac
  fi
  if [ "\${cur#-}" != "$cur" ]; then
    [ -z "$value" ] && words="$flags" ids='' files=''
  elif [ -z "$value$words$ids$files" ] && [ -z "$cur" ]; then
    words="$flags"
  fi
  # compgen expands its words: nothing but ids gets there.
  if [ -n "$ids" ]; then
    words="$("\${COMP_WORDS[0]/#\\~/$HOME}" ids $ids "\${given[@]}" 2>/dev/null | cut -f1 | grep -E '^[[:alnum:]._-]+$')"
  fi
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  if [ -n "$files" ]; then
    COMPREPLY+=($(compgen -f -- "$cur"))
    compopt -o filenames 2>/dev/null
  fi
}
complete -F _beadloom beadloom
`
}
