// @suite unit-long
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeEach, describe, expect, test } from 'vitest'
import { call, type Turn } from '../testing/scripted-model.ts'
import { branch, startKit, type Kit } from '../testing/session-kit.ts'
import { done, playSpawning, spawn } from '../testing/spawning.ts'

let kit: Kit
beforeEach(async () => {
  kit = await startKit({ 'README.md': 'hello\n', 'src/a.ts': 'export const a = 1\n' })
})

describe('a sub-agent and git', () => {
  const run = (...commands: string[]): Turn[] => [
    { calls: commands.map((command) => call('bash', { command })) },
    { text: 'I did it.' },
  ]
  const child = (turns: Turn[]) =>
    playSpawning(kit, {
      parent: [{ calls: [spawn({ agent: 'coding-agent', task: 't' })] }, done],
      children: { 'coding-agent': turns },
    })
  const outputs = () =>
    kit.record
      .of('sub_agent')
      .flatMap(({ what, text }) => (what === 'tool_result' ? [text.split('\n').slice(1).join('\n')] : []))

  test('may look at everything', async () => {
    const { first } = await child(
      run('git status --short; git log --oneline | wc -l; git -C . diff --stat; git --no-pager show --stat HEAD'),
    )
    expect(first.success).toBe(true)
    expect(outputs()[0]).toMatch(/^1\n[^]*README\.md[^]*\[exit code 0\]$/)
  })

  test('commits nothing: it is told, its files stay, and the session commits them', async () => {
    const { first, result } = await child(
      run(
        'echo x > x.txt; git add -A && git commit -qm mine',
        'git -c user.name=a commit --allow-empty -m b',
        'git --git-dir=.git stash',
        'cd src && git checkout -b other',
      ),
    )
    for (const output of outputs())
      expect(output).toMatch(/git (?:add|commit|stash|checkout) is not for sub-agents: leave your changes in the files/)
    expect(first.success).toBe(true)
    expect(result).toMatchObject({ outcome: 'success', commit: await kit.hub.tip(branch) })
    expect(await kit.git('log', '--format=%s', `${kit.base}..HEAD`)).toBe('Bead bl-1: Add a thing')
    expect(await kit.git('show', 'HEAD:x.txt')).toBe('x')
  })

  test('pushes nothing, by whatever program', async () => {
    await child(run('"$BEADLOOM_GIT" push origin HEAD:refs/heads/theirs'))
    expect(outputs()[0]).toMatch(/transport 'http' not allowed/)
    expect(await kit.hub.tip('refs/heads/theirs')).toBeNull()
  })

  test('that commits all the same has failed, and the commit is taken back', async () => {
    const { first, result } = await child(
      run('echo x > x.txt; "$BEADLOOM_GIT" add -A; "$BEADLOOM_GIT" -c user.name=a -c user.email=a@b commit -qm mine'),
    )
    expect(first).toMatchObject({ success: false, status: 'failed', summary: 'I did it.' })
    expect(first.error).toMatch(
      new RegExp(`^it changed the repository with git, which only its parent may do \\(${branch}\\)`),
    )
    expect(result.outcome).toBe('success')
    expect(await kit.git('log', '--format=%s', `${kit.base}..HEAD`)).toBe('Bead bl-1: Add a thing')
    expect(await kit.git('show', 'HEAD:x.txt')).toBe('x')
  })

  test('that stashes changes or leaves the branch loses nothing', async () => {
    const git = '"$BEADLOOM_GIT" -c user.name=a -c user.email=a@b'
    const { first } = await child(run('echo x > x.txt', `${git} stash -u; ${git} checkout -qb other`))
    expect(first).toMatchObject({ success: false, status: 'failed' })
    expect(await kit.git('symbolic-ref', '--short', 'HEAD')).toBe(branch)
    expect(await kit.git('show', 'HEAD:x.txt')).toBe('x')
  })

  test('that leaves the branch by writing a file, without a shell, has failed too', async () => {
    const { first, result } = await playSpawning(kit, {
      parent: [{ calls: [spawn({ agent: 'docs-agent', task: 't' })] }, done],
      children: {
        'docs-agent': [
          { calls: [call('write_file', { path: '.git/HEAD', content: 'ref: refs/heads/other\n' })] },
          { text: 'I did it.' },
        ],
      },
    })
    expect(first).toMatchObject({ success: false, status: 'failed' })
    expect(await kit.git('symbolic-ref', '--short', 'HEAD')).toBe(branch)
    expect(result.outcome).toBe('success')
  })

  test('may make repositories of its own, as tests do', async () => {
    const elsewhere = join(kit.tmp, 'elsewhere')
    await mkdir(elsewhere)
    await writeFile(join(elsewhere, 'a'), 'a')
    const { first } = await child(
      run(
        `cd ${elsewhere} && git init -q && git add -A && git -c user.name=a -c user.email=a@b commit -qm one && git clone -q . ../copy && git -C ../copy log --oneline`,
      ),
    )
    expect(first.success).toBe(true)
    expect(outputs()[0]).toMatch(/one\n\[exit code 0\]$/)
  })
})
