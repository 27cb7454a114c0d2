import { EGRESS_PORT } from '@beadloom/core/execution/session-order.ts'
import type { Env } from './run-command.ts'

/**
 * The variables by which programs find a proxy. `NO_PROXY` is in every session's environment already. curl reads only
 * the lower-case `http_proxy`; Node's own clients read none without `NODE_USE_ENV_PROXY`. Java reads none at all and
 * needs properties, and Maven must also be told to use them.
 */
export function proxyEnv(image: Env, port = EGRESS_PORT): Env {
  const proxy = `http://127.0.0.1:${port}`
  const java = [
    ...['http', 'https'].flatMap((scheme) => [`-D${scheme}.proxyHost=127.0.0.1`, `-D${scheme}.proxyPort=${port}`]),
    '-Dhttp.nonProxyHosts=localhost|127.*',
    '-Daether.connector.http.useSystemProperties=true',
  ]
  return {
    HTTP_PROXY: proxy,
    HTTPS_PROXY: proxy,
    http_proxy: proxy,
    https_proxy: proxy,
    NODE_USE_ENV_PROXY: '1',
    JAVA_TOOL_OPTIONS: [image['JAVA_TOOL_OPTIONS'], ...java].filter(Boolean).join(' '),
  }
}
