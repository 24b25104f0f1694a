import type { JsonObject } from '../../../specs/src/index.ts';
import type { Comparison } from './comparison.ts';
import { namesOf, readNode, type TypeWord } from './schema-node.ts';
import { combine, type Located } from './schema-parts.ts';

export type Choice = { readonly members: readonly Located[]; readonly isExclusive: boolean };
/** Alternatives, and the document in which their references lead somewhere. */
export type Side = { readonly choice: Choice; readonly root: JsonObject };

const pairsOfTrial = 200;
const nestedAtMost = 3;
const piecesAtMost = 50;

/** An alternative that others cover already adds nothing by coming and takes nothing by going. */
export function isCovered(member: Located, root: JsonObject, others: Side, comparison: Comparison): boolean {
  const covers = (piece: Located): boolean => others.choice.members.some((other) => fits(piece, other));
  const fits = (piece: Located, other: Located): boolean => {
    const { trials } = comparison;
    const budget = Math.min(pairsOfTrial, trials.left);
    // Schemas that ask this of each other without end are taken for different ones.
    if (budget <= 0 || trials.depth >= nestedAtMost) return false;
    const trial: Comparison = {
      ...comparison,
      direction: 'output',
      before: others.root,
      after: root,
      met: new Set(),
      changes: [],
      budget,
    };
    trials.left--;
    trials.depth++;
    comparison.compare(other, piece, trial);
    trials.depth--;
    trials.left -= budget - trial.budget;
    const properties = trial.changes.some(
      ({ rule }) => rule === 'property-added-optional' || rule === 'property-removed',
    );
    return !properties && trial.changes.every(({ verdict }) => verdict !== 'breaking');
  };
  return covers(member) || piecesOf(member, root).some((pieces) => pieces.every(covers));
}

/** A list of values, or of types, taken apart: each of them may be covered by another alternative. */
function piecesOf(member: Located, root: JsonObject): readonly Located[][] {
  const { enum: values = [], types = new Set<TypeWord>(), unions } = readNode(member, root);
  const conditions = [values.map((value) => ({ const: value })), namesOf(types).map((type) => ({ type }))];
  return conditions
    .filter(({ length }) => length > 1 && length <= piecesAtMost && unions.length === 0)
    .map((all) => all.map((schema) => combine([member, { schema, pointer: member.pointer }]) ?? member));
}
