"""Runs LeetCode's Python: cases of the test-case box on standard input, an answer a line.

Called with the solution's path and "graph" or "grid". What the solution prints itself goes to standard error.
"""
import json
import sys
import threading
import traceback

PRELUDE = """
import bisect, collections, functools, heapq, itertools, math, operator, random, re, string, sys
from bisect import *
from collections import *
from functools import *
from heapq import *
from itertools import *
from math import *
from typing import *
"""


def main():
    path, game = sys.argv[1:]
    answers, sys.stdout = sys.stdout, sys.stderr
    names = {"__name__": "solution"}
    exec(PRELUDE, names)
    with open(path, encoding="utf-8") as file:
        exec(compile(file.read(), path, "exec"), names)
    print("ready", file=answers, flush=True)
    for line in sys.stdin:
        if game == "graph":
            answer = repr(names["Solution"]().catMouseGame(json.loads(line)))
        else:
            cat_jump, mouse_jump = int(next(sys.stdin)), int(next(sys.stdin))
            answer = json.dumps(bool(names["Solution"]().canMouseWin(json.loads(line), cat_jump, mouse_jump)))
        print(answer, file=answers, flush=True)


def run():
    global failed
    try:
        main()
    except BaseException as error:
        failed = True
        frames = error.__traceback__
        while frames and frames.tb_frame.f_code.co_filename == __file__:
            frames = frames.tb_next
        traceback.print_exception(type(error), error, frames)


failed = False
sys.setrecursionlimit(1000000)
threading.stack_size(256 << 20)  # recursion as deep as LeetCode allows
thread = threading.Thread(target=run)
thread.start()
thread.join()
sys.exit(failed)
