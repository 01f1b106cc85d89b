"""Addresses of open data in the shapes of others."""

from django.urls import path

from gleanery.interfaces.open_data import common_grants, hsds

urlpatterns = [
    path("hsds/v3/", hsds.profile, name="hsds"),
    path("hsds/v3/services", hsds.services, name="hsds-services"),
    path("hsds/v3/services/<uuid:record_id>", hsds.service, name="hsds-service"),
    path("hsds/v3/organizations", hsds.organizations, name="hsds-organizations"),
    path("hsds/v3/organizations/<uuid:record_id>", hsds.organization, name="hsds-organization"),
    path("hsds/v3/service_at_locations", hsds.service_at_locations, name="hsds-places"),
    path("hsds/v3/service_at_locations/<uuid:record_id>", hsds.service_at_location, name="hsds-place"),
    path("hsds/v3/taxonomies", hsds.nothing, name="hsds-taxonomies"),
    path("hsds/v3/taxonomy_terms", hsds.nothing, name="hsds-taxonomy-terms"),
    path("common-grants/opportunities", common_grants.opportunities, name="common-grants"),
    path("common-grants/opportunities/search", common_grants.search, name="common-grants-search"),
    path("common-grants/opportunities/<uuid:record_id>", common_grants.one, name="common-grants-one"),
]
