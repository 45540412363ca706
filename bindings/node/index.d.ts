/** A graph's lists of neighbours, or either game's object. */
export type Puzzle =
  | number[][]
  | { graph: number[][] }
  | { grid: string[]; catJump: number; mouseJump: number };

export type Player = 'mouse' | 'cat';
export type Outcome = Player | 'draw';

/** Where both stand, and who is to move. Cells of a grid are row * columns + column. */
export interface State {
  mouse: number;
  cat: number;
  turn: Player;
}

/** Half-moves to the end under best play; null where nobody can force the end. */
export type Plies = number | null;

export interface Solved {
  id: string;
  game: 'graph' | 'grid';
  nodes: number;
  states: number;
  bytes: number;
  source: 'memory' | 'solved';
  solve_us: number;
  start: { state: State; outcome: Outcome; plies: Plies };
}

export interface Answer {
  id: string;
  state: State;
  outcome: Outcome;
  plies: Plies;
  over: boolean;
  /** The first of the moves, null where there is none. */
  best: number | null;
  /** Best first. */
  moves: { to: number; outcome: Outcome; plies: Plies }[];
  /** Of a grid. */
  cols?: number;
}

export interface Line {
  id: string;
  state: State;
  outcome: Outcome;
  plies: Plies;
  /** The nodes gone to, the players taking turns. */
  moves: number[];
  end: 'home' | 'caught' | 'repeats' | 'limit' | 'stuck' | 'max';
  cols?: number;
}

export interface Certificate {
  version: 1;
  puzzle: Puzzle;
  claim: { state: State; outcome: Outcome; plies: Plies; limit: number | null };
  strategies: {
    player: Player;
    goal: 'win' | 'hold';
    states: [mouse: number, cat: number, turn: Player, move: number | null, plies: Plies][];
  }[];
}

export interface SideCounts {
  mouse: number;
  cat: number;
  endless: number;
}

export interface Stats {
  id: string;
  game: 'graph' | 'grid';
  nodes: number;
  states: number;
  mouse_to_move: SideCounts;
  cat_to_move: SideCounts;
  longest_mouse: { plies: number; state: State } | null;
  longest_cat: { plies: number; state: State } | null;
  mouse_histogram: number[];
  cat_histogram: number[];
  cols?: number;
}

/** How far a solve has come. */
export interface Progress {
  request: number;
  layers: number;
  decided: number;
  states: number;
}

/** What is solved, or the id of it. */
export type Subject = Solved | string;

export interface CallOptions {
  /** Aborting it cancels the call, and its solve where nobody else waits for it. */
  signal?: AbortSignal;
  /** Called at most ten times a second while the call waits. */
  onProgress?: (progress: Progress) => void;
}

/** The daemon refused: `code` is one of the protocol's errors, such as E_BAD_PUZZLE. */
export class CatmouseError extends Error {
  code: string;
}

export class Client {
  /** Connects at its first call, and again after the connection was lost. */
  constructor(options?: { socket?: string; autostart?: boolean });

  /** The result of any method of the protocol. */
  call(method: string, params?: object, options?: CallOptions): Promise<any>;

  solve(puzzle: Puzzle, options?: CallOptions): Promise<Solved>;

  /** Without a state, from the start of what is solved; `limit` stops the game after so many plies. */
  query(subject: Subject, state?: State, options?: CallOptions & { limit?: number }): Promise<Answer>;

  /** Best play to the end, or `max` moves of it. */
  line(subject: Subject, state?: State, options?: CallOptions & { limit?: number; max?: number }): Promise<Line>;

  /** The certificate that proves who wins. */
  explain(subject: Subject, state?: State, options?: CallOptions & { limit?: number }): Promise<Certificate>;

  /** Counts over all states. */
  stats(subject: Subject): Promise<Stats>;

  /** Ends the connection; calls under way are rejected. */
  close(): void;
}
