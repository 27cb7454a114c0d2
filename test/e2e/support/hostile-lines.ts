/** Text that would act if it were more than text, in each kind of line, and its visible part. */
export function hostile(): { screen: string; lines: string[] } {
  const bad =
    '<img src=x onerror="owned=1"><svg onload="owned=1">\u001b]0;another title\u0007\u001b[2J\u202egnp.exe\u0000'
  const inJson = (text: string) => JSON.stringify(text).slice(1, -1)
  const call = (tool: string, given: Record<string, string>) => `⚙ ${tool}(${JSON.stringify(given)})`
  return {
    screen: '<img src=x onerror="owned=1"><svg onload="owned=1">‹U+202E›gnp.exe',
    lines: [
      '› Begin.',
      `› said ${bad} [go](javascript:owned=1) [go](data:text/html,<script>owned=1</script>)`,
      '› ```html',
      `› <script>owned=1</script>`,
      '› ```',
      call('edit_file', { path: `edited ${bad}`, old_text: 'a', new_text: `added ${bad}` }),
      '✓ edit_file, 4 ms',
      call('bash', { command: `ran ${bad}` }),
      '✗ bash, 2.0 s',
      `  result ${bad} \u001b]8;;javascript:owned=1\u0007link\u001b]8;;\u0007`,
      '  [exit code 1]',
      `⚙ ${inJson('<b>tool</b>')}({"path":"${inJson(bad)}`,
      `§ section ${bad}`,
      `$ command ${bad}`,
      bad,
      `§ section ${bad}: exit 1, 1.0 s`,
      `⑂ <b>name</b>#1 § sub-agent ${bad}`,
      `⑂ <b>name</b>#1 › [go](javascript:owned=1) ${bad}`,
      `⑂ <b>name</b>#1 = ${bad}`,
      `! warning ${bad}`,
      `# note ${bad}`,
      '! the context is 90% full: the agent continues in a fresh one with this handover',
      `  the handover ${bad}`,
      `= failed ${bad}`,
    ],
  }
}
