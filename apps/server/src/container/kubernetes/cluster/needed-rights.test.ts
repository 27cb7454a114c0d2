import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { neededRights, policyRights, queueRights, usefulRights } from './needed-rights.ts'

const RULE = /apiGroups: \[(.*?)\], resources: \[(.*?)\], verbs: \[(.*?)\]/g

test('the role in the documents has every right that the adapter asks for, and no other', () => {
  const file = join(import.meta.dirname, '../../../../../..', 'docs', 'kubernetes', 'role.yaml')
  const granted = [...readFileSync(file, 'utf8').matchAll(RULE)].flatMap(([, group = '', resource = '', verbs = '']) =>
    verbs.split(', ').map((verb) => `${group.replaceAll("'", '')} ${resource} ${verb}`),
  )
  const asked = [...neededRights, ...policyRights, ...usefulRights, ...queueRights].flatMap(
    ({ group, resource, verbs }) => verbs.map((verb) => `${group} ${resource} ${verb}`),
  )
  expect(granted.toSorted()).toEqual(asked.toSorted())
})
