import type { ProjectSettings } from '../project/project-config.ts'

type Network = Pick<ProjectSettings, 'network' | 'allow'>

/** What an agent is told about its network. */
export function networkText({ network, allow }: Network): string {
  if (network === 'bridge') return 'Network: this container has full access to the network.'
  if (allow.length === 0)
    return 'Network: this container has none. Only git of this repository and the model can be reached; what is needed is installed already.'
  return `Network: only these hosts can be reached (ports 443 and 80 unless one is named): ${allow.join(', ')}. They are reached by the proxy in HTTP_PROXY and HTTPS_PROXY, which the usual tools use by themselves; anything else is refused. Names are not resolved in here.`
}
