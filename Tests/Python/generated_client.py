"""Talks with a running service by the client that openapi-python-client made from its description.

usage: generated_client.py URL      the package subtrackit_client is found by PYTHONPATH

The last line counts the checks: N passed, N failed.
"""

import sys
import traceback
import uuid

from subtrackit_client import AuthenticatedClient, Client
from subtrackit_client.api.devices import devices_register
from subtrackit_client.api.plans import plans_list
from subtrackit_client.api.subscriptions import subscriptions_create, subscriptions_get, subscriptions_list
from subtrackit_client.models import (
    CreateSubscriptionInput,
    ListPlansOutput,
    ListSubscriptionsOutput,
    Problem,
    ProblemCode,
    RegisterDeviceInput,
    RegisterDeviceOutput,
    Subscription,
)

url = sys.argv[1]
public = Client(base_url=url, raise_on_unexpected_status=True)
registered = None


def authenticated():
    return AuthenticatedClient(base_url=url, token=registered.token, raise_on_unexpected_status=True)


def a_device_registers():
    global registered
    registered = devices_register.sync(client=public, body=RegisterDeviceInput(name="generated", country="US"))
    assert isinstance(registered, RegisterDeviceOutput), registered
    assert len(registered.token) > 20


def plans_are_listed():
    plans = plans_list.sync(client=public, country="US")
    assert isinstance(plans, ListPlansOutput), plans
    assert plans.plans and all(plan.country == "US" for plan in plans.plans)


def a_problem_has_its_type():
    problem = plans_list.sync(client=public, country="XX")
    assert isinstance(problem, Problem), problem
    assert (problem.status, problem.code) == (400, ProblemCode.INPUT_INVALID)
    assert [error.field for error in problem.errors] == ["country"]
    problem = subscriptions_get.sync(id=uuid.uuid4(), client=authenticated())
    assert isinstance(problem, Problem) and problem.code == ProblemCode.NOT_FOUND, problem
    problem = subscriptions_list.sync(client=AuthenticatedClient(base_url=url, token="wrong"))
    assert isinstance(problem, Problem) and problem.code == ProblemCode.TOKEN_INVALID, problem


def a_subscription_is_added_and_listed():
    plan = plans_list.sync(client=public, country="US").plans[0]
    made = subscriptions_create.sync(client=authenticated(), body=CreateSubscriptionInput(plan_id=plan.id))
    assert isinstance(made, Subscription) and made.plan.id == plan.id, made
    found = subscriptions_list.sync(client=authenticated())
    assert isinstance(found, ListSubscriptionsOutput), found
    assert [row.id for row in found.subscriptions] == [made.id]


passed = failed = 0
for check in [a_device_registers, plans_are_listed, a_problem_has_its_type, a_subscription_is_added_and_listed]:
    try:
        check()
        passed += 1
    except Exception:
        print(f"{check.__name__} failed", file=sys.stderr)
        traceback.print_exc()
        failed += 1
print(f"{passed} passed, {failed} failed")
