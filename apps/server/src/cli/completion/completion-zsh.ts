import { assignment, placeCases } from './completion-bash.ts'
import { flagsByPlace, flagsWithValue, groups, quoted, type Node } from './completion-nodes.ts'

const described = (name: string, summary: string): string => quoted(`${name.replaceAll(':', '\\:')}:${summary}`)

export function zshScript(nodes: readonly Node[]): string {
  const cases = nodes.map((node) => {
    const flags = node.options.flatMap(({ flags: names, summary }) => names.map((flag) => described(flag, summary)))
    const below = node.words.map(({ name, summary }) => described(name, summary))
    return [
      `    ${quoted(node.path)})`,
      `      flags=(${flags.join(' ')})`,
      ...(below.length > 0 ? [`      choices=(${below.join(' ')})`] : []),
      ...(node.places.length > 0
        ? ['      case $nth in', ...placeCases(node).map((one) => `        ${one}`), '      esac']
        : []),
      '      ;;',
    ].join('\n')
  })
  const values = flagsByPlace(nodes).map(
    ([flags, place]) => `    ${flags.join('|')}) value=yes; ${assignment(place)} ;;`,
  )
  return `#compdef beadloom
# zsh completion of beadloom. Load it: source <(beadloom completion zsh), after compinit
_beadloom() {
  local prev="\${words[CURRENT-1]}" cur="\${words[CURRENT]}" program="\${words[1]}"
  local path_='' nth=0 done_='' ids='' files='' value='' skip='' word line
  local -a typed given choices flags
  typed=("\${(@)words[2,CURRENT-1]}")
  local words=''
  for word in "\${(@)typed}"; do
    if [[ -n $skip ]]; then
      [[ $skip == (--data|-p|--project) ]] && given+=($skip "\${(Q)word}")
      skip=''
      continue
    fi
    case $word in
      --data=*|--project=*) given+=("\${(Q)word}"); continue ;;
      ${flagsWithValue(nodes).join('|')}) skip=$word; continue ;;
      -*) continue ;;
    esac
    if [[ -n $done_ ]]; then
      ((nth += 1))
      continue
    fi
    path_="\${path_:+$path_ }$word"
    case $path_ in ${groups(nodes).map(quoted).join('|')}) ;; *) done_=yes ;; esac
  done
  case $prev in
${values.join('\n')}
  esac
  if [[ -z $value ]]; then
    case $path_ in
${cases.join('\n')}
    esac
  fi
  [[ -n $words ]] && choices+=(\${=words})
  if [[ -n $ids ]]; then
    for line in "\${(@f)$("\${program/#\\~/$HOME}" ids \${=ids} $given 2>/dev/null)}"; do
      [[ -n $line ]] && choices+=("\${line%%$'\\t'*}:\${line#*$'\\t'}")
    done
  fi
  if [[ -z $value && $cur == -* ]]; then
    _describe 'option' flags
    return
  fi
  ((\${#choices})) && _describe 'beadloom' choices
  [[ -n $files ]] && _files
  [[ -z $value$files && \${#choices} -eq 0 && -z $cur ]] && _describe 'option' flags
  return 0
}
compdef _beadloom beadloom
`
}
